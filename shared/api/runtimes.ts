import { z } from 'zod';
import { RUNTIME_IDS, type RuntimeId } from '../check/enums.ts';
import { librariesOf } from '../run/libraries.ts';

/** A runtime: the bundle of libraries that scripts may use (specification 9, contract A.9). */
export const runtime = z.object({
  name: z.enum(RUNTIME_IDS),
  multiStepSupport: z.boolean(),
  nodeJsVersion: z.string(),
  stage: z.enum(['ALPHA', 'BETA', 'CURRENT', 'STABLE', 'DEPRECATED', 'REMOVED']),
  /** The day on which support of its Node.js line ended or ends. */
  runtimeEndOfLife: z.iso.date(),
  description: z.string(),
  /** Package name to the version that scripts get, of the packages that scripts can have. */
  dependencies: z.record(z.string(), z.string()),
});
export type Runtime = z.output<typeof runtime>;

/** Node.js of each runtime and the end of its line (contract 8.1). */
const NODE: Record<RuntimeId, [version: string, endOfLife: string]> = {
  '2025.04': ['v22.11.0', '2027-04-30'],
  '2024.09': ['v18.20.3', '2025-04-30'],
  '2024.02': ['v18.20.3', '2025-04-30'],
  '2023.09': ['v18.20.3', '2025-04-30'],
  '2023.02': ['v16.20.2', '2023-09-11'],
  '2022.10': ['v16.20.2', '2023-09-11'],
};

/** Multi-step checks need a runtime from 2023.09 on (contract 3.7). */
const FIRST_MULTI_STEP = '2023.09';

/** Every runtime, newest first. */
export const RUNTIMES: readonly Runtime[] = RUNTIME_IDS.map((name) => {
  const [nodeJsVersion, runtimeEndOfLife] = NODE[name];
  return {
    name,
    multiStepSupport: name >= FIRST_MULTI_STEP,
    nodeJsVersion,
    stage: name === RUNTIME_IDS[0] ? 'CURRENT' : 'STABLE',
    runtimeEndOfLife,
    description: `Libraries of ${name} for scripts, on Node.js ${nodeJsVersion}`,
    dependencies: librariesOf(name),
  };
});
