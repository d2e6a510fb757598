import { type Named, PUBLIC_STATES, type PublicState } from './public-page.ts';
import { worstState } from './uptime.ts';

interface Sentences {
  state: PublicState;
  headline: string;
  detail: string | null;
}

/** How many services a sentence names; of more it tells the number. */
const MAX_NAMES = 3;

const PREDICATES = {
  works: 'working',
  maintenance: 'under maintenance',
  degraded: 'degraded',
  'partly-down': 'partly down',
  down: 'down',
} as const satisfies Record<PublicState, string>;

/** What a page says first of its services: the worst, then the others. */
export function headlineOf(services: readonly (Named & { state: PublicState })[]): Sentences {
  const state = worstState(services.map((service) => service.state));
  if (state === 'works') return { state, headline: 'All systems work', detail: null };
  const worst = services.filter((service) => service.state === state);
  const isAll = worst.length === services.length && worst.length > 1;
  const headline = isAll ? `Everything is ${PREDICATES[state]}` : sentence(worst, state);
  const milder = PUBLIC_STATES.filter((other) => other !== 'works' && other !== state)
    .toReversed()
    .flatMap((other) => {
      const some = services.filter((service) => service.state === other);
      return some.length === 0 ? [] : [`${sentence(some, other)}.`];
    });
  const hasOthers = services.some((service) => service.state === 'works');
  const detail = [...milder, ...(hasOthers ? ['Everything else works.'] : [])].join(' ');
  return { state, headline, detail: detail === '' ? null : detail };
}

function sentence(services: readonly Named[], state: PublicState): string {
  return `${subject(services)} ${services.length === 1 ? 'is' : 'are'} ${PREDICATES[state]}`;
}

function subject(services: readonly Named[]): string {
  const names = services.map(({ name }) => name);
  if (names.length > MAX_NAMES) return `${names.length} services`;
  return names.length < 2
    ? (names[0] ?? '')
    : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}
