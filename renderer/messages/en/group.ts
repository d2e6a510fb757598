const counted = (count: number, noun: string) =>
  count === 0 ? '' : `${count} ${noun}${count === 1 ? '' : 's'}`;

/** What the screen of a group says. */
export const group = {
  newTitle: 'New group',
  newText: 'Settings that its checks share. What stays open here is left to each check.',
  state: (failing: number, count: number) => {
    if (count === 0) return 'No check is in it yet.';
    const checks = count === 1 ? '1 check' : `${count} checks`;
    return failing === 0 ? `${checks}, none failing.` : `${checks}, ${failing} failing.`;
  },
  paused: 'Paused: none of its checks runs.',
  muted: ': nobody is told of its checks.',
  tabs: 'Parts of the group',
  checks: 'Checks',
  settings: 'Settings',
  run: 'Run all now',
  running: (count: number) => (count === 1 ? '1 check runs' : `${count} checks run`),
  pause: 'Pause',
  resume: 'Resume',
  remove: 'Delete',
  removeQuestion: (name: string) => `Delete the group ${name}?`,
  removeText: 'Its settings go with it. A group that still has checks cannot be deleted.',
  removed: (name: string) => `The group ${name} is deleted.`,
  saved: (name: string) => `The group ${name} is saved.`,
  save: 'Save',
  create: 'Create group',
  name: 'Name',
  columns: {
    check: 'Check',
    type: 'Type',
    lastRun: 'Last run',
    availability: '24 h',
    runs: 'Last 40 runs',
  },
  emptyTitle: 'No check is in this group',
  emptyText: 'Open a check, edit it, and choose the group under “More”.',
  toChecks: 'All checks',
  inherited: 'as each check has it',
  general: {
    title: 'General',
    summary: (tags: readonly string[], concurrency: unknown) =>
      `${tags.length === 0 ? 'No tags' : tags.join(', ')}; at most ${concurrency} at once when triggered`,
    tags: 'Tags',
    tagsHint: 'They add to those of each check.',
    concurrency: 'Runs at once',
    concurrencyHint: 'Of its checks, when the group is run; schedules do not count.',
    active: 'Its checks run',
    activeHint: 'Otherwise all of them are paused.',
    muted: 'Muted',
    mutedHint: 'They run, and nobody is told.',
  },
  places: {
    title: 'Locations',
    title2: 'Private locations',
    inheritedHint: 'With none chosen, each check has its own.',
    inTurn: 'Order of the locations',
    orders: { own: 'as each check has it', parallel: 'all at once', turn: 'one after the other' },
    runtime: 'Runtime',
  },
  retries: { title: 'Retries', double: 'A failed run is tried again once, at once' },
  alerts: {
    title: 'Alerts',
    who: 'Who decides',
    whose: {
      check: 'as each check has it',
      account: 'as the account has it',
      group: 'as set here',
    },
  },
  variables: {
    title: 'Variables',
    none: 'None',
    hint: 'Those of a check with the same name win; they win over those of the account.',
  },
  requests: {
    title: 'API requests',
    none: 'Nothing is added to API checks',
    summary: (headers: number, parameters: number) =>
      [counted(headers, 'header'), counted(parameters, 'parameter')].filter(Boolean).join(', '),
    url: 'Base URL',
    urlHint: 'Checks use it as {{GROUP_BASE_URL}}.',
    headers: 'Headers',
    addHeader: 'Add a header',
    parameters: 'Query parameters',
    addParameter: 'Add a parameter',
    user: 'User name',
    password: 'Password',
    assertions: 'Assertions',
  },
  scripts: {
    title: 'Scripts',
    none: 'None around API checks',
    some: 'Run around the scripts of each API check',
  },
};
