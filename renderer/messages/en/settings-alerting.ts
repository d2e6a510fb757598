const times = (count: number) => (count === 1 ? 'once' : `${count.toLocaleString('en')} times`);
const checksOf = (count: number) =>
  count === 1 ? '1 check' : `${count.toLocaleString('en')} checks`;

export const settingsAlerting = {
  title: 'Alert policy',
  text: 'When checks alert that follow the account: all that have no alert settings of their own.',
  told: (sentence: string) => `You are told after ${sentence}.`,
  alerts: 'When you are told',
  flapping: {
    title: 'Flapping',
    on: (changes: number, minutes: number) =>
      `Said once after ${changes} changes in ${minutes} minutes`,
    off: 'Each change is told',
    enabled: 'Say it once when a check goes up and down',
    enabledHint: 'One message says that it flaps, one that it has settled.',
    changes: 'Changes of state',
    withinRuns: 'Within so many runs',
    withinMinutes: 'And within',
    settledAfterRuns: 'Settled after so many runs alike',
    settledAfterMinutes: 'Or without a change for',
    minutes: 'minutes',
  },
  storms: {
    title: 'Storms',
    on: (alerts: number, messages: number) =>
      `More than ${alerts} alerts within 10 s are one message; ${messages} messages a minute`,
    off: (messages: number) => `Each alert by itself; ${messages} messages a minute`,
    alerts: 'One message for more alerts than',
    alertsHint: 'Within 10 seconds on one channel. 0: each alert is sent by itself.',
    messages: 'Messages a minute',
    messagesHint: 'On each channel. What is beyond waits, and goes in one message.',
  },
  save: 'Save',
  saved: 'Saved: it counts from the next run on.',
  discard: 'Discard',
  resumed: 'What you typed before is still here and not saved.',
  replay: {
    title: 'Tried on the past',
    working: 'Going through the results…',
    same: (count: number) =>
      count === 0
        ? 'As it is, nobody would have been woken.'
        : `As it is, you would have been woken ${times(count)}.`,
    other: (simulated: number, current: number) =>
      simulated === current
        ? `With these settings you would have been woken ${times(simulated)} too.`
        : `With these settings you would have been woken ${
            simulated === 0 ? 'not once' : times(simulated)
          }, not ${times(current)}.`,
    now: 'As it is',
    tried: 'With these settings',
    woken: 'Woken',
    messages: 'Messages',
    withheld: 'Recorded only',
    firstTold: 'First failure told after',
    never: 'never',
    atOnce: 'at once',
    marks: (name: string, count: number) =>
      `${name}: ${count.toLocaleString('en')} messages in this time`,
    list: 'What would be sent',
    more: (count: number) => `${count.toLocaleString('en')} more`,
    gone: 'a check that is gone',
    reminder: (number: number) => `reminder ${number}`,
    of: (checks: number, ofChecks: number, outcomes: number) =>
      checks === ofChecks
        ? `Of ${checksOf(checks)} and ${outcomes.toLocaleString('en')} results. Each check counts as passing before.`
        : `Of the ${checksOf(checks)} with most alerts, of ${ofChecks.toLocaleString('en')}, and ${outcomes.toLocaleString('en')} results. Each check counts as passing before.`,
    none: 'No active check follows the account, so there is nothing to try this on.',
    noMessage: 'Nothing would have been sent.',
    occasions: { flapping: 'flapping', settled: 'settled' },
  },
};
