import type { CheckType } from '#shared/checks/enums.ts';

/** What charts of a type are made of. */
interface ChartMetrics {
  /** The segment of its analytics. */
  kind: string;
  /** What stands for the response time. */
  main: string;
  /** Parts of a run, one after the other. */
  phases: readonly string[];
  /** Numbers of a run that do not add up to its time. */
  others: readonly string[];
}

const HTTP_PHASES = ['dns', 'tcp', 'firstByte', 'download'];
const SCRIPTED = { main: 'responseTime', phases: [], others: [] };

export const CHART_METRICS: Readonly<Record<CheckType, ChartMetrics>> = {
  API: { kind: 'api-checks', main: 'responseTime', phases: HTTP_PHASES, others: [] },
  URL: { kind: 'url-monitors', main: 'responseTime', phases: HTTP_PHASES, others: [] },
  TCP: { kind: 'tcp-checks', main: 'total', phases: ['dns', 'connection', 'data'], others: [] },
  DNS: { kind: 'dns', main: 'total', phases: [], others: [] },
  ICMP: { kind: 'icmp', main: 'latencyAvg', phases: [], others: ['latencyMin', 'latencyMax'] },
  BROWSER: { kind: 'browser-checks', ...SCRIPTED, others: ['TTFB', 'FCP', 'LCP', 'TBT'] },
  MULTI_STEP: { kind: 'multistep-checks', ...SCRIPTED },
  PLAYWRIGHT: { kind: 'playwright-checks', ...SCRIPTED },
  HEARTBEAT: { kind: 'heartbeat-checks', main: '', phases: [], others: [] },
};

/** Colours of lines in their order; no two that stand side by side are alike for the colour-blind. */
export const LINE_COLOURS = [
  '--chart-line',
  '--degraded-bar',
  '--code-keyword',
  '--passing-bar',
  '--code-name',
  '--failing-bar',
] as const;
