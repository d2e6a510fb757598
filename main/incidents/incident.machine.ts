import { assign, setup } from 'xstate';
import {
  type Finding,
  hasRoomForUpdate,
  released,
  withDegradation,
  withFailure,
  withRecovery,
} from '#shared/incidents/automatic-updates.ts';
import type { StoredIncident } from '#shared/incidents/incident.ts';
import { statusOfIncident } from '#shared/incidents/incident-rules.ts';

export type IncidentEvent =
  /** How the check stands after a run or a missed ping. */
  | { type: 'FAILS' | 'DEGRADED' | 'PASSES'; finding: Finding }
  /** A person changed it. */
  | { type: 'CHANGED'; incident: StoredIncident }
  /** Nobody will ever find anything of its check again. */
  | { type: 'LET_GO'; now: number };

interface IncidentContext {
  /** The newest version; whoever sends the event has it written. */
  incident: StoredIncident;
}

/** The machine of an incident, for as long as automation looks after it. */
export const incidentMachine = setup({
  types: {
    context: {} as IncidentContext,
    events: {} as IncidentEvent,
    input: {} as IncidentContext,
  },
  actions: {
    replace: assign((_, incident: StoredIncident) => ({ incident })),
  },
  guards: {
    hasRoom: ({ context }) => hasRoomForUpdate(context.incident),
    isLetGo: ({ context: { incident } }) => incident.automation === null || incident.isDeleted,
    isWatched: ({ context }) => statusOfIncident(context.incident) === 'MONITORING',
  },
}).createMachine({
  id: 'incident',
  context: ({ input }) => input,
  initial: 'judging',
  on: {
    PASSES: {
      target: '.over',
      actions: {
        type: 'replace',
        params: ({ context, event }) => withRecovery(context.incident, event.finding),
      },
    },
    CHANGED: {
      target: '.judging',
      actions: { type: 'replace', params: ({ event }) => event.incident },
    },
    LET_GO: {
      target: '.over',
      actions: {
        type: 'replace',
        params: ({ context, event }) => released(context.incident, event.now),
      },
    },
  },
  states: {
    /** Chooses the state by the incident, also after a restart; left at once. */
    judging: {
      always: [
        { guard: 'isLetGo', target: 'over' },
        { guard: 'isWatched', target: 'watching' },
        { target: 'failing' },
      ],
    },
    failing: {
      on: {
        DEGRADED: {
          guard: 'hasRoom',
          target: 'watching',
          actions: {
            type: 'replace',
            params: ({ context, event }) => withDegradation(context.incident, event.finding),
          },
        },
      },
    },
    /** The check answers again, and is degraded. */
    watching: {
      on: {
        FAILS: {
          guard: 'hasRoom',
          target: 'failing',
          actions: {
            type: 'replace',
            params: ({ context, event }) => withFailure(context.incident, event.finding),
          },
        },
      },
    },
    /** Resolved, or in the hands of people: automation never touches it again. */
    over: { type: 'final' },
  },
});
