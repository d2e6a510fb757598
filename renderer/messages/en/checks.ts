import type { CheckType } from '#shared/checks/enums.ts';
import type { CheckState } from '#shared/summaries/check-state.ts';

const checksOf = (count: number) =>
  count === 1 ? '1 check' : `${count.toLocaleString('en')} checks`;

export const checks = {
  title: 'Checks',
  headline: {
    failing: (failing: number, total: number) =>
      total === 1
        ? 'Your check fails'
        : `${failing.toLocaleString('en')} of ${checksOf(total)} ${failing === 1 ? 'fails' : 'fail'}`,
    degraded: (degraded: number, total: number) =>
      `${degraded.toLocaleString('en')} of ${checksOf(total)} ${degraded === 1 ? 'is' : 'are'} degraded`,
    passing: (total: number) => (total === 1 ? 'Your check passes' : `All ${checksOf(total)} pass`),
    quiet: (total: number) => `${checksOf(total)}, none fails`,
  },
  since: (name: string, span: string) => `${name} since ${span}`,
  /** After names with their spans. */
  more: (count: number) => `${count} more`,
  alsoStates: {
    failing: (count: number) => `${count} ${count === 1 ? 'fails' : 'fail'}`,
    degraded: (count: number) => `${count} ${count === 1 ? 'is' : 'are'} degraded`,
    inconclusive: (count: number) => `${count} could not be run`,
    pending: (count: number) => `${count} ${count === 1 ? 'waits' : 'wait'} for a first result`,
    passing: (count: number) => `${count} ${count === 1 ? 'passes' : 'pass'}`,
    paused: (count: number) => `${count} ${count === 1 ? 'is' : 'are'} paused`,
  } satisfies Record<CheckState, (count: number) => string>,
  types: {
    API: 'API',
    BROWSER: 'Browser',
    HEARTBEAT: 'Heartbeat',
    ICMP: 'Ping',
    MULTI_STEP: 'Multi-step',
    TCP: 'TCP',
    PLAYWRIGHT: 'Playwright',
    URL: 'URL',
    DNS: 'DNS',
  } satisfies Record<CheckType, string>,
  search: 'Search name, tag, URL',
  filters: 'Filters',
  type: 'Type',
  state: 'State',
  tags: 'Tags',
  clear: 'Clear filters',
  grouping: (how: string) => `Group by: ${how}`,
  groupings: { group: 'group', type: 'type', none: 'none' },
  columns: {
    name: 'Name',
    type: 'Type',
    runs: 'Last 40 runs',
    availability: '24 h',
    p95: 'p95',
    lastRun: 'Last run',
  },
  list: 'All checks',
  noGroup: 'In no group',
  section: (count: number, passing: number) =>
    passing === count ? `${checksOf(count)}, all pass` : `${checksOf(count)}, ${passing} pass`,
  sectionPlain: checksOf,
  failingFor: (span: string) => `for ${span}`,
  failedRuns: (failed: number, count: number) => `${failed} of ${count} runs`,
  slowRuns: (slow: number, count: number) => `Slow in ${slow} of the last ${count} runs`,
  noReason: 'The last run failed',
  waiting: 'waiting',
  paused: 'paused',
  select: (name: string) => `Select ${name}`,
  changed: (count: number) => `${count} changed place`,
  showChanged: 'Show',
  nothingTitle: 'No check is like this',
  nothingText: 'Change or clear the filters to see others.',
  keys: {
    next: 'Next check',
    previous: 'Previous check',
    select: 'Select it',
    open: 'Open it',
    search: 'Search',
    clear: 'Clear the selection',
  },
  bulk: {
    selected: (count: number) => `${count.toLocaleString('en')} selected`,
    label: 'What to do with the selected checks',
    run: 'Run',
    mute: 'Mute',
    unmute: 'Unmute',
    pause: 'Pause',
    resume: 'Resume',
    tag: 'Tag',
    delete: 'Delete',
    clear: 'Clear selection',
    more: 'More',
    watch: 'Watch',
    running: (count: number) => `${checksOf(count)} ${count === 1 ? 'runs' : 'run'} now`,
    doing: (done: number, count: number) => `${done} of ${checksOf(count)}…`,
    muted: (count: number) => `${checksOf(count)} muted`,
    unmuted: (count: number) => `${checksOf(count)} unmuted`,
    pausedAll: (count: number) => `${checksOf(count)} paused`,
    resumed: (count: number) => `${checksOf(count)} resumed`,
    tagged: (count: number, tag: string) => `${checksOf(count)} tagged ${tag}`,
    deleted: (count: number) => `${checksOf(count)} deleted`,
    failed: (failed: number, count: number, reason: string) =>
      `${failed} of ${checksOf(count)} could not be changed: ${reason}`,
    tagTitle: (count: number) => `Tag ${checksOf(count)}`,
    tagName: 'Tag',
    tagHint: 'Checks that have it already stay as they are.',
    add: 'Add tag',
  },
};
