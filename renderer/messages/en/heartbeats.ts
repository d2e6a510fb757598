export const heartbeats = {
  title: 'Heartbeats',
  text: 'Jobs report in; Watchpost notices when one does not.',
  list: 'Heartbeats',
  lastPing: 'Last event',
  next: 'Next ping',
  never: 'no ping yet',
  waits: 'waits for the first ping',
  expected: 'expected',
  every: (period: string, grace: string) => `every ${period}, ${grace} grace`,
  emptyTitle: 'No job reports in yet',
  emptyText:
    'Make a heartbeat check for a job, such as a backup, and call its address when the job is done. Watchpost alerts when it stays away.',
  create: 'Create a heartbeat',
  howTo: 'How to report in',
  howToText: 'At the end of the job, when it went well.',
  of: 'Heartbeat',
  where: 'Where it runs',
  open: 'Open the check',
  failed: (failing: number, all: number) =>
    failing === 0 ? `All ${all} report in` : `${failing} of ${all} did not report in`,
  waiting: (count: number) => (count === 1 ? '1 has not begun' : `${count} have not begun`),
};
