const checks = (count: number) =>
  count === 1 ? '1 check' : `${count.toLocaleString('en')} checks`;

/** How a session goes, or ended. */
export const sessionStatuses = {
  STARTED: 'Waiting',
  PROGRESS: 'Running',
  PROGRESS_DEGRADED: 'Running, degraded so far',
  PROGRESS_FAILED: 'Running, failed so far',
  PASSED: 'Passed',
  DEGRADED: 'Degraded',
  FAILED: 'Failed',
  TIMED_OUT: 'Timed out',
  CANCELLED: 'Cancelled',
};

export const sessions = {
  title: 'Sessions',
  text: 'Runs apart from the schedule: from here, by the API, by a trigger.',
  list: 'What was triggered lately',
  emptyTitle: 'Nothing was triggered yet',
  emptyText:
    'Select checks and run them now, or have your pipeline trigger them after each deployment.',
  toChecks: 'Go to the checks',
  more: (names: string, others: number) => (others === 0 ? names : `${names} and ${others} more`),
  sources: {
    TRIGGER_API: 'Run now or API',
    GROUP_RUN_ALL: 'A group',
    LEGACY_TRIGGER: 'Trigger URL',
    SCHEDULE_NOW: 'Run now',
  },
  counts: {
    open: (count: number) => `${count.toLocaleString('en')} running`,
    failed: (count: number) => `${count.toLocaleString('en')} failed`,
    degraded: (count: number) => `${count.toLocaleString('en')} degraded`,
    passed: (count: number) => `${count.toLocaleString('en')} passed`,
    cancelled: (count: number) => `${count.toLocaleString('en')} cancelled`,
  },
  one: {
    title: 'Session',
    running: (open: number, all: number) => `Running: ${all - open} of ${checks(all)} done`,
    failed: (failed: number, all: number) => `${failed} of ${checks(all)} failed`,
    degraded: (degraded: number, all: number) => `${degraded} of ${checks(all)} degraded`,
    cancelled: (all: number) => `${checks(all)}, cancelled`,
    passed: (all: number) => (all === 1 ? '1 check passed' : `All ${checks(all)} passed`),
    progress: 'Runs that are done',
    took: (span: string) => `took ${span}`,
    cancel: 'Cancel',
    cancelledRuns: (count: number) => (count === 1 ? '1 run cancelled' : `${count} runs cancelled`),
    again: 'Run again',
    againFailed: 'Run the failed again',
    list: 'Checks of the session',
    show: 'Show',
    shown: { all: 'All', failed: 'Failed', open: 'Running', passed: 'Passed' },
    nothing: 'None is like that.',
    statuses: sessionStatuses,
    resultAt: (location: string, time: string) => `${location}: ${time}`,
  },
};
