import { expect, test } from 'vitest';
import { z } from 'zod';
import { COLLECTIONS } from '#main/store/configuration/collections.ts';
import { CHECK_TYPES } from '#shared/checks/enums.ts';
import { makeCheck } from '../../../fixtures/checks.ts';

const plain = COLLECTIONS.checks.record;
const compiled = z.compile(plain);

test.each(CHECK_TYPES)('a compiled schema reads a check of type %s as a plain one', (type) => {
  const check = JSON.parse(JSON.stringify({ ...makeCheck(type), later: { of: ['a', 'version'] } }));
  const others = Object.keys(check).flatMap((member) => {
    const { [member]: _, ...without } = check;
    return [without, { ...check, [member]: null }, { ...check, [member]: ['else'] }];
  });
  for (const one of [check, ...others]) {
    const [read, expected] = [compiled, plain].map((schema) => schema.safeParse(one));
    // As text, for its members keep their order in the file.
    expect(JSON.stringify(read?.data)).toBe(JSON.stringify(expected?.data));
    expect(read?.error?.issues).toEqual(expected?.error?.issues);
  }
  expect(compiled.safeParse(check).success).toBe(true);
});
