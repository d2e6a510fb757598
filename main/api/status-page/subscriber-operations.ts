import { z } from 'zod';
import type { SubscriptionLink } from '#main/services/page-subscribers.ts';
import { notFound, ServiceError } from '#main/services/service-error.ts';
import type { StatusPage } from '#shared/status-pages/status-page.ts';
import { subscribeForm } from '#shared/status-pages/subscription.ts';
import { STATUSES } from '../http/error-handler.ts';
import {
  type Context,
  type Input,
  type Operation,
  openTo,
  operation,
  type Reply,
} from '../operation.ts';
import { messageReply, type PageMessage } from './message-reply.ts';
import { openPage } from './operations.ts';
import { rootOf } from './page-path.ts';

const tag = 'Status pages';
const slug = z.string().max(63);
/** Also of a private page: who reads its mails has no session. */
const LINK = openTo('the token in the path is the secret, which only the address has in its mails');

const subscribe = operation({
  id: 'subscribeToPage',
  method: 'post',
  path: '/status/{slug}/subscribe',
  tag,
  summary: 'Subscribe an address to a status page',
  description: 'The address is mailed a link that confirms it.',
  access: openTo(
    'the form of a status page that its reader may see; it mails the address at most every 10 minutes',
  ),
  internal: true,
  params: z.object({ slug }),
  body: { isForm: true, schema: subscribeForm },
  status: 200,
  response: null,
  handle: (input, context) => {
    const { params, body, sender } = input;
    const { page, mayRead } = openPage(params.slug, input, context);
    if (!mayRead) throw notFound('There is nothing at this address');
    return forPeople(page, rootOf(input.path, page), async () => {
      if (body.website === '') await context.pageSubscribers.subscribe(page, body.address, sender);
      return {
        title: 'Check your inbox',
        text: 'If the address is not subscribed yet, it gets a mail with a link that confirms the subscription.',
      };
    });
  },
});

interface LinkAction {
  name: 'confirm' | 'unsubscribe';
  summary: string;
  /** What the link shows; scanners of mails follow links, so nothing happens yet. */
  asks(page: StatusPage): PageMessage;
  does: 'confirm' | 'end';
  did(page: StatusPage): PageMessage;
}

const CONFIRM: LinkAction = {
  name: 'confirm',
  summary: 'Confirm a subscription to a status page',
  asks: ({ name }) => ({
    title: 'Confirm your subscription',
    text: `Mails about incidents and maintenance of ${name} will come to your address.`,
    button: 'Subscribe',
  }),
  does: 'confirm',
  did: ({ name }) => ({
    title: 'You are subscribed',
    text: `You get a mail when there is something new about ${name}. Each has a link to unsubscribe.`,
  }),
};

const UNSUBSCRIBE: LinkAction = {
  name: 'unsubscribe',
  summary: 'End a subscription to a status page',
  asks: ({ name }) => ({
    title: 'Unsubscribe',
    text: `No more mails about ${name} will come to your address.`,
    button: 'Unsubscribe',
  }),
  does: 'end',
  did: ({ name }) => ({
    title: 'You are unsubscribed',
    text: `No more mails about ${name} come to your address.`,
  }),
};

function linkOperations({ name, summary, asks, does, did }: LinkAction): Operation[] {
  const shared = {
    path: `/status/{slug}/subscriptions/{subscriptionId}/{token}/${name}`,
    tag,
    access: LINK,
    internal: true,
    params: z.object({ slug, subscriptionId: z.string().max(36), token: z.string().max(100) }),
    status: 200,
    response: null,
  } as const;
  return [
    operation({
      ...shared,
      id: `${name}SubscriptionForm`,
      method: 'get',
      summary: `${summary}: the form`,
      handle: (input, context) => linkReply(input, context, async (page) => asks(page)),
    }),
    operation({
      ...shared,
      id: `${name}Subscription`,
      method: 'post',
      summary,
      // Mail programs send a body (RFC 8058) in one of several types, which says nothing more.
      description: 'Any body is ignored.',
      handle: (input, context) =>
        linkReply(input, context, async (page) => {
          await context.pageSubscribers[does](input.params);
          return did(page);
        }),
    }),
  ];
}

type LinkInput = Pick<
  Input<{ slug: string } & SubscriptionLink, unknown, unknown>,
  'params' | 'path'
>;

/** A mail may be older than the address of its page: the subscription says which page it is of. */
async function linkReply(
  { params, path }: LinkInput,
  { publicPages, pageSubscribers }: Context,
  act: (page: StatusPage) => Promise<PageMessage>,
): Promise<Reply> {
  const own = await pageSubscribers.pageOf(params);
  const page = own ?? publicPages.find(params.slug);
  const isMoved = page.url !== params.slug.toLowerCase();
  const root = isMoved ? `${rootOf(path, page)}../${page.url}/` : rootOf(path, page);
  return forPeople(page, root, async () => {
    if (own === null) throw notFound('There is no such subscription');
    return act(own);
  });
}

/**
 * What is refused is told in the frame of the page as well.
 * @param root the page's own folder, relative to the document
 */
async function forPeople(
  page: StatusPage,
  root: string,
  act: () => Promise<PageMessage>,
): Promise<Reply> {
  try {
    return messageReply(page, root, await act());
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const { message: title, code } = error;
    return messageReply(page, root, { title, text: REFUSALS[code] ?? '', status: STATUSES[code] });
  }
}

const REFUSALS: Partial<Record<ServiceError['code'], string>> = {
  INVALID: 'Go back and type it once more.',
  NOT_FOUND: 'The subscription may have ended already.',
  TOO_MANY: 'Try it again later.',
};

export const pageSubscriberOperations = [
  subscribe,
  ...linkOperations(CONFIRM),
  ...linkOperations(UNSUBSCRIBE),
];
