import { z } from 'zod';
import { cut, spoken } from '#shared/assertions/text.ts';
import { DETAIL_KEYS } from '#shared/checks/enums.ts';
import type { ShownAssertion } from '#shared/notifications/notice.ts';
import { shownUrl } from './asked.ts';

/** Characters of a value in a message, and in the state that reminders are made from. */
const MAX_TEXT = 500;

/** The part of a result's detail that messages tell of; every type of check has it alike. */
const toldDetail = z.object({
  assertions: z
    .array(
      z.object({
        source: z.string(),
        property: z.string().nullish(),
        comparison: z.string(),
        target: z.string().nullish(),
        error: z.string().nullish(),
        actual: z.unknown(),
      }),
    )
    .optional(),
  request: z.object({ url: z.string().optional() }).nullish(),
  response: z.object({ statusText: z.string().optional() }).nullish(),
  /** Those that a browser opened. */
  pages: z.array(z.object({ url: z.string().optional() })).optional(),
});

export interface FailureSummary {
  /** The URL that was asked, or that of the first page; missing of what asks for none. */
  url?: string;
  /** Of an HTTP response. */
  statusText: string | null;
  /** The first that did not hold. */
  failedAssertion: ShownAssertion | null;
}

const NOTHING: FailureSummary = { statusText: null, failedAssertion: null };

/** What a result's detail, as JSON text, has for a message; nothing of a detail of another form. */
export function failureSummaryOf(detail: string | undefined): FailureSummary {
  if (detail === undefined) return NOTHING;
  const members = JSON.parse(detail) as Record<string, unknown>;
  const key = DETAIL_KEYS.find((name) => name in members);
  const read = key === undefined ? undefined : toldDetail.safeParse(members[key]);
  if (!read?.success) return NOTHING;
  const { assertions = [], request, response, pages: [firstPage] = [] } = read.data;
  const failed = assertions.find(({ error }) => error);
  const url = request?.url ?? firstPage?.url;
  return {
    ...(url && { url: cut(shownUrl(url), MAX_TEXT) }),
    statusText: response?.statusText || null,
    failedAssertion: failed === undefined ? null : noticed(failed),
  };
}

type FoundAssertion = NonNullable<z.output<typeof toldDetail>['assertions']>[number];

function noticed({ source, property, comparison, target, actual }: FoundAssertion) {
  return {
    source,
    property: shortened(property),
    comparison,
    target: shortened(target),
    actual: typeof actual === 'string' ? cut(actual, MAX_TEXT) : spoken(actual ?? null),
  };
}

function shortened(text: string | null | undefined): string | null {
  return text ? cut(text, MAX_TEXT) : null;
}
