import { describe, expect, it } from 'vitest';
import type { Location } from '#shared/checks/enums.ts';
import { DEFAULT_LOCATION, locationsOf } from '#shared/runs/locations.ts';

const PUBLIC: Location[] = ['eu-west-1', 'us-east-1'];
const check = (
  runParallel: boolean,
  locations: Location[] | null,
  privateLocations?: string[],
) => ({
  runParallel,
  locations,
  privateLocations,
});

describe('in turns, a run happens at the location after the one last used', () => {
  it.each<[string, ReturnType<typeof check>, string | null, string]>([
    ['the first one first', check(false, PUBLIC), null, 'eu-west-1'],
    ['then the next', check(false, PUBLIC), 'eu-west-1', 'us-east-1'],
    ['private ones after the others', check(false, PUBLIC, ['lab']), 'us-east-1', 'lab'],
    ['from the last to the first', check(false, PUBLIC, ['lab']), 'lab', 'eu-west-1'],
    ['private ones alone', check(false, [], ['lab', 'shop']), 'lab', 'shop'],
    ['the top again where the last one is gone', check(false, PUBLIC), 'sa-east-1', 'eu-west-1'],
    ['one alone again and again', check(false, ['eu-west-1']), 'eu-west-1', 'eu-west-1'],
    ['the default where there is none', check(false, null), null, DEFAULT_LOCATION],
    ['the default again', check(false, [], []), DEFAULT_LOCATION, DEFAULT_LOCATION],
  ])('%s', (_, placed, lastUsed, location) => {
    expect(locationsOf(placed, lastUsed)).toEqual({ run: [location], last: location });
  });

  it('every location comes once before one comes again', () => {
    const placed = check(false, PUBLIC, ['lab', 'shop']);
    const turns: string[] = [];
    let last: string | null = null;
    for (let turn = 0; turn < 8; turn++) {
      last = locationsOf(placed, last).last;
      turns.push(last);
    }
    const round = ['eu-west-1', 'us-east-1', 'lab', 'shop'];
    expect(turns).toEqual([...round, ...round]);
  });
});

describe('in parallel, a run happens at every location at once', () => {
  it.each<[string, ReturnType<typeof check>, string[]]>([
    ['public and private', check(true, PUBLIC, ['lab']), ['eu-west-1', 'us-east-1', 'lab']],
    ['one that is named twice once', check(true, PUBLIC, ['lab', 'lab']), [...PUBLIC, 'lab']],
    ['the default where there is none', check(true, null), [DEFAULT_LOCATION]],
  ])('%s', (_, placed, run) => {
    expect(locationsOf(placed, 'us-east-1')).toEqual({ run, last: run.at(-1) });
  });
});
