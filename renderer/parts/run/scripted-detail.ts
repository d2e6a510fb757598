import type {
  ConsoleLine,
  LogLine,
  NetworkLine,
  PageVisit,
  RunError,
  StepRequest,
  TestResult,
} from '#shared/playwright/detail.ts';
import type { ResultDetails } from '#shared/results/details.ts';

/** What the three types with a script have in common, each list empty where a type or a run has none. */
export interface ScriptedDetail {
  errors: readonly RunError[];
  tests: readonly (TestResult & { project?: string; file?: string })[];
  pages: readonly PageVisit[];
  requests: readonly StepRequest[];
  console: readonly ConsoleLine[];
  network: readonly NetworkLine[];
  jobLog: readonly LogLine[];
  runtimeVersion: string | undefined;
  waitedMs: number;
}

export function scriptedDetail(result: ResultDetails): ScriptedDetail {
  const detail: Record<string, unknown> =
    result.browserCheckResult ?? result.multiStepCheckResult ?? result.playwrightCheckResult ?? {};
  const list = <T>(name: string) => (Array.isArray(detail[name]) ? (detail[name] as T[]) : []);
  return {
    // A run that could not be made has sentences.
    errors: list<RunError | string>('errors').map((error) =>
      typeof error === 'string' ? { message: error } : error,
    ),
    tests: list('tests'),
    pages: list('pages'),
    requests: list('requests'),
    console: list('console'),
    network: list('network'),
    jobLog: list('jobLog'),
    runtimeVersion: typeof detail.runtimeVersion === 'string' ? detail.runtimeVersion : undefined,
    waitedMs: typeof detail.waitedMs === 'number' ? detail.waitedMs : 0,
  };
}
