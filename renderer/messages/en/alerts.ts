const alertsOf = (count: number) =>
  count === 1 ? '1 alert' : `${count.toLocaleString('en')} alerts`;

export const alerts = {
  title: 'Alerts',
  failingNow: (count: number) =>
    count === 1 ? '1 check fails now.' : `${count.toLocaleString('en')} checks fail now.`,
  noneFails: 'No check fails now.',
  label: 'Alerts, newest first',
  filters: 'Filters',
  says: { failing: 'Failing', degraded: 'Degraded', passing: 'Recovered', expiry: 'Certificates' },
  told: { label: 'Told', all: 'Told or not', yes: 'Somebody told', no: 'Nobody told' },
  ofCheck: (name: string) => `Check: ${name}`,
  aCheck: 'a check',
  clear: 'Clear filters',
  lasted: (span: string) => `for ${span}`,
  lasts: (span: string) => `for ${span} so far`,
  openRun: 'Open the run',
  onlyThis: 'Only this check',
  fresh: (count: number) => (count === 1 ? '1 new alert' : `${alertsOf(count)} are new`),
  showFresh: 'Show',
  reading: 'Reading earlier alerts…',
  emptyTitle: 'No alert in this time',
  emptyText: 'When a check fails, it stands here with who was told and whether that arrived.',
  channels: 'Choose where alerts go',
  filteredTitle: 'No alert is like that',
  filteredText: 'Change or clear the filters, or look at more of the past.',
  keys: { next: 'Next alert', previous: 'Previous alert', open: 'Open its run or check' },
};
