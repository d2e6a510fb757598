import fc from 'fast-check';
import { expect, it, test } from 'vitest';
import { z } from 'zod';
import { maintenanceId, plannedStartOf } from '#shared/maintenance/maintenance-id.ts';

it('an id is a UUID that tells the planned start, of its window only', () => {
  const windowId = fc.integer({ min: 1, max: 1_000_000_000 }).map(String);
  fc.assert(
    fc.property(windowId, windowId, fc.integer({ min: -8e15, max: 8e15 }), (own, other, ms) => {
      const id = maintenanceId(own, ms);
      expect(z.uuid().safeParse(id).success).toBe(true);
      expect(plannedStartOf(own, id)).toBe(ms);
      expect(plannedStartOf(own, id.toUpperCase())).toBe(ms);
      if (own !== other) expect(plannedStartOf(other, id)).toBeNull();
    }),
  );
});

test.each([
  '',
  'x',
  '5e1d6f3a-8a3b-4c3e-9a51-0d4f2b7c9e10',
  '40000000-0000-8000-8000-000000000001',
  '7fffffff-ffff-8fff-8000-000000000001',
])('%j is no id of window 1', (id) => expect(plannedStartOf('1', id)).toBeNull());
