import { z } from 'zod';
import { nodeVersionOf } from '#shared/sandbox/libraries.ts';
import { dependenciesOf } from '#shared/sandbox/packages.ts';
import { MULTI_STEP_RUNTIME_IDS, RUNTIME_IDS, type RuntimeId } from './enums.ts';

/** A runtime: the bundle of libraries that scripts may use (specification 9). */
export const runtime = z.object({
  name: z.enum(RUNTIME_IDS),
  multiStepSupport: z.boolean(),
  nodeJsVersion: z.string(),
  stage: z.enum(['ALPHA', 'BETA', 'CURRENT', 'STABLE', 'DEPRECATED', 'REMOVED']),
  /** The day on which support of its Node.js line ended or ends. */
  runtimeEndOfLife: z.iso.date(),
  description: z.string(),
  /** Package name to the version that scripts get, of the packages that scripts of any kind can have. */
  dependencies: z.record(z.string(), z.string()),
});
export type Runtime = z.output<typeof runtime>;

/** The end of the Node.js line of each runtime. */
const END_OF_LIFE: Record<RuntimeId, string> = {
  '2026.04': '2028-04-30',
  '2025.04': '2027-04-30',
  '2024.09': '2025-04-30',
  '2024.02': '2025-04-30',
  '2023.09': '2025-04-30',
  '2023.02': '2023-09-11',
  '2022.10': '2023-09-11',
};

/** Every runtime, newest first. */
export const RUNTIMES: readonly Runtime[] = RUNTIME_IDS.map((name) => {
  const nodeJsVersion = nodeVersionOf(name);
  return {
    name,
    multiStepSupport: MULTI_STEP_RUNTIME_IDS.includes(name),
    nodeJsVersion,
    stage: name === RUNTIME_IDS[0] ? 'CURRENT' : 'STABLE',
    runtimeEndOfLife: END_OF_LIFE[name],
    description: `Libraries of ${name} for scripts, on Node.js ${nodeJsVersion}`,
    dependencies: dependenciesOf(name),
  };
});
