import { z } from 'zod';
import { LOCATION_NAMES, LOCATIONS } from '#shared/checks/enums.ts';
import { openTo, operation } from '../operation.ts';

export const listLocations = operation({
  id: 'listLocations',
  method: 'get',
  path: '/v1/locations',
  tag: 'Locations and runtimes',
  summary: 'List the data-center locations',
  access: openTo('a fixed list that is the same for everyone'),
  status: 200,
  response: z.array(z.object({ region: z.enum(LOCATIONS), name: z.string() })),
  handle: () => ({
    content: { json: LOCATIONS.map((region) => ({ region, name: LOCATION_NAMES[region] })) },
  }),
});
