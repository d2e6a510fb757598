import { expect, test } from 'vitest';
import { cut } from '#shared/assertions/text.ts';
import { ScriptRecord } from '#shared/playwright/script-record.ts';
import { MAX_DETAIL_BYTES } from '#shared/runs/protocol.ts';
import { DetailWriter } from '#workers/browser/script-detail.ts';

/** What a run left that reported as much as it may, in characters of three bytes. */
function noisyRun(): ScriptRecord {
  const record = new ScriptRecord(0);
  const text = '語'.repeat(16_000);
  const url = `https://shop.example/${text}`;
  for (let n = 0; n < 1_000; n++) {
    record.add({ type: 'log', at: n, level: 'INFO', text });
    record.add({ type: 'console', at: n, kind: 'error', text, url });
  }
  record.add({ type: 'page', page: 'p', url: 'https://shop.example/', vitals: { TTFB: 5 } });
  return record;
}

test('a detail of a run that reported as much as it may is short enough to be kept, with its pages', () => {
  const names = { screenshots: [], traces: [], videos: [] };
  const times = { startedAt: 0, stoppedAt: 1, waitedMs: 0, runtimeVersion: '2026.04' };
  const found = { record: noisyRun(), ...names, ...times, sources: new Map(), log: [] };
  const detail = new DetailWriter({ ...found, brokenOff: null }, cut).browser();
  const bytes = Buffer.byteLength(JSON.stringify({ browserCheckResult: detail }));
  expect(bytes).toBeLessThan(MAX_DETAIL_BYTES);
  expect(bytes).toBeGreaterThan(MAX_DETAIL_BYTES / 2);
  expect(detail.pages).toHaveLength(1);
});

test('a script that plans tests without end has no more than one may have', () => {
  const record = new ScriptRecord(0);
  for (let plan = 0; plan < 3; plan++) {
    const ids = Array.from({ length: 1_500 }, (_, n) => `${plan}-${n}`);
    const tests = ids.map((id) => ({ id, path: ['a'], group: 'g' }));
    record.add({ type: 'plan', tests });
  }
  expect(record.tests).toHaveLength(2_000);
});
