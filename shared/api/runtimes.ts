import { z } from 'zod';
import { RUNTIME_IDS, type RuntimeId } from '../check/enums.ts';

/** A runtime: the bundle of libraries that scripts may use (specification 9, contract A.9). */
export const runtime = z.object({
  name: z.enum(RUNTIME_IDS),
  multiStepSupport: z.boolean(),
  nodeJsVersion: z.string(),
  stage: z.enum(['ALPHA', 'BETA', 'CURRENT', 'STABLE', 'DEPRECATED', 'REMOVED']),
  /** The day on which support of its Node.js line ended or ends. */
  runtimeEndOfLife: z.iso.date(),
  description: z.string(),
  /** Package name to version. */
  dependencies: z.record(z.string(), z.string()),
});
export type Runtime = z.output<typeof runtime>;

const PACKAGES = [
  'axios',
  'crypto-js',
  'date-fns',
  'jose',
  'jsonwebtoken',
  'lodash',
  'moment',
  'otpauth',
  'uuid',
  'zod',
];

/** Node.js, the end of its line, and the version of each of {@link PACKAGES} (contract 8.1). */
const CATALOGUE: Record<RuntimeId, [node: string, endOfLife: string, ...(string | null)[]]> = {
  '2025.04': [
    'v22.11.0',
    '2027-04-30',
    '0.28.0',
    '4.2.0',
    '4.1.0',
    '5.10.0',
    '9.0.2',
    '4.17.21',
    '2.30.1',
    '9.4.0',
    '11.1.0',
    '3.24.3',
  ],
  '2024.09': [
    'v18.20.3',
    '2025-04-30',
    '0.28.0',
    '4.2.0',
    '3.3.1',
    '5.9.2',
    '9.0.2',
    '4.17.21',
    '2.30.1',
    '9.3.2',
    '10.0.0',
    '3.23.8',
  ],
  '2024.02': [
    'v18.20.3',
    '2025-04-30',
    '0.28.0',
    '4.2.0',
    '3.3.1',
    '5.2.2',
    '9.0.2',
    '4.17.21',
    '2.30.1',
    '9.2.2',
    '9.0.1',
    '3.22.4',
  ],
  '2023.09': [
    'v18.20.3',
    '2025-04-30',
    '0.27.2',
    '4.1.1',
    '2.30.0',
    '4.14.4',
    '9.0.1',
    '4.17.21',
    '2.29.4',
    '9.1.4',
    '9.0.0',
    '3.22.2',
  ],
  '2023.02': [
    'v16.20.2',
    '2023-09-11',
    '0.27.2',
    '4.1.1',
    '2.29.3',
    '4.14.1',
    '9.0.0',
    '4.17.21',
    '2.29.4',
    '9.0.2',
    '9.0.0',
    null,
  ],
  '2022.10': [
    'v16.20.2',
    '2023-09-11',
    '0.27.2',
    '4.1.1',
    null,
    null,
    '8.5.1',
    '4.17.21',
    '2.29.4',
    '9.0.2',
    '9.0.0',
    null,
  ],
};

/** Multi-step checks need a runtime from 2023.09 on (contract 3.7). */
const FIRST_MULTI_STEP = '2023.09';

/** Every runtime, newest first. */
export const RUNTIMES: readonly Runtime[] = RUNTIME_IDS.map((name) => {
  const [nodeJsVersion, runtimeEndOfLife, ...versions] = CATALOGUE[name];
  return {
    name,
    multiStepSupport: name >= FIRST_MULTI_STEP,
    nodeJsVersion,
    stage: name === RUNTIME_IDS[0] ? 'CURRENT' : 'STABLE',
    runtimeEndOfLife,
    description: `Libraries of ${name} for scripts, on Node.js ${nodeJsVersion}`,
    dependencies: dependenciesOf(versions),
  };
});

function dependenciesOf(versions: readonly (string | null)[]): Record<string, string> {
  const known = PACKAGES.map((name, index) => [name, versions[index]] as const);
  return Object.fromEntries(
    known.filter((pair): pair is [string, string] => typeof pair[1] === 'string'),
  );
}
