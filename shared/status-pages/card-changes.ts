import type { Problem } from '#shared/api/problems.ts';
import type { CardBody, StatusPageCard } from './status-page.ts';

interface Surroundings {
  /** The cards that the page has. */
  before: readonly StatusPageCard[];
  isService(id: string): boolean;
  newId(): string;
  /** ISO 8601. */
  now: string;
}

/** What is wrong with the ids in cards: of cards that the page does not have, and of unknown services. */
export function cardProblems(
  cards: readonly CardBody[],
  { before, isService }: Pick<Surroundings, 'before' | 'isService'>,
): Problem[] {
  const rest = new Set(before.map(({ id }) => id));
  return cards.flatMap(({ id, services }, index) => [
    ...(id === undefined || rest.delete(id)
      ? []
      : [{ path: `cards.${index}.id`, message: cardProblem(id, before) }]),
    ...services.flatMap((service, at) =>
      isService(service.id)
        ? []
        : [
            {
              path: `cards.${index}.services.${at}.id`,
              message: `no status-page service ${service.id} exists`,
            },
          ],
    ),
  ]);
}

function cardProblem(id: string, before: readonly StatusPageCard[]): string {
  const isKnown = before.some((card) => card.id === id);
  return isKnown ? 'expected each card once' : `the page has no card ${id}`;
}

/** The cards that a body asks for: those with an id as they were but for what it says, others new. */
export function changedCards(
  cards: readonly CardBody[],
  { before, newId, now }: Omit<Surroundings, 'isService'>,
): StatusPageCard[] {
  return cards.map(({ id, name, services }) => {
    const serviceIds = [...new Set(services.map((service) => service.id))];
    const known = before.find((card) => card.id === id);
    if (known === undefined) {
      return { id: newId(), name, serviceIds, created_at: now, updated_at: null };
    }
    const isSame = known.name === name && known.serviceIds.join() === serviceIds.join();
    return isSame ? known : { ...known, name, serviceIds, updated_at: now };
  });
}
