// `npm run draw`: writes a page with a diagram for every machine into docs/machines; a test fails
// where a page is not what its machine is.
import { writeFileSync } from 'node:fs';
import type { AnyStateMachine } from 'xstate';
import { checkMachine } from '#main/monitoring/check.machine.ts';
import { heartbeatMachine } from '#main/monitoring/heartbeat.machine.ts';
import { retriesMachine } from '#main/monitoring/retries.machine.ts';
import { deliveryMachine } from '#main/notifications/delivery.machine.ts';
import { connectivityMachine } from '#main/self-monitoring/connectivity.machine.ts';
import { runQueueMachine } from '#main/sessions/run-queue.machine.ts';
import { sessionMachine } from '#main/sessions/session.machine.ts';
import { testSessionMachine } from '#main/sessions/test-session.machine.ts';
import { machinePage } from './machine-page.ts';

interface Entry {
  machine: AnyStateMachine;
  /** What the machine is for. */
  sentence: string;
}

/** The machines there are, by the names of their pages. */
const MACHINES: Readonly<Record<string, Entry>> = {
  batch: {
    machine: runQueueMachine,
    sentence: 'Starts the runs that one trigger asked for in their order, only so many at a time.',
  },
  check: {
    machine: checkMachine,
    sentence:
      'Decides when a check runs: it waits for the next slot, has it run, and waits again. There ' +
      'is one of it for every check but the heartbeats.',
  },
  heartbeat: {
    machine: heartbeatMachine,
    sentence:
      'Waits for the pings of one heartbeat check, and records the deadlines that passed without ' +
      'one.',
  },
  delivery: {
    machine: deliveryMachine,
    sentence:
      'Sends what is owed to one alert channel, one message at a time; gathers storms, waits, and ' +
      'tries again. There is one of it for every channel that was ever owed something.',
  },
  retries: {
    machine: retriesMachine,
    sentence:
      'Makes the retries of a run at one location, after a first attempt that failed: each after a ' +
      'wait, until one result is FINAL. A run that needs no retry has none of it.',
  },
  session: {
    machine: sessionMachine,
    sentence: 'Follows one check session from its creation to its end.',
  },
  connectivity: {
    machine: connectivityMachine,
    sentence:
      'Decides whether the monitor itself can see: failing runs that may be its own fault wait here ' +
      'for the word of the canaries. There is one of it.',
  },
  'test-session': {
    machine: testSessionMachine,
    sentence: 'Follows one test session, which runs several checks, from its creation to its end.',
  },
};

/** Every page to be in docs/machines, by the name of its file. */
export function machinePages(): Map<string, string> {
  const entries = Object.entries(MACHINES);
  const pages = entries.map(([name, { machine, sentence }]): [string, string] => [
    `${name}.md`,
    machinePage(name, sentence, machine),
  ]);
  const rows = entries.map(([name, { sentence }]) => `| [${name}](${name}.md) | ${sentence} |`);
  const index = ['# Machines', '', '| Machine | What it does |', '| --- | --- |', ...rows, ''];
  return new Map([['README.md', index.join('\n')], ...pages]);
}

if (import.meta.main) {
  for (const [file, page] of machinePages())
    writeFileSync(new URL(`../docs/machines/${file}`, import.meta.url), page);
}
