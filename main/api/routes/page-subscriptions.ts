import { z } from 'zod';
import {
  pageSubscriptionView,
  subscriptionsBody,
  subscriptionsOutcome,
  viewPageSubscription,
} from '#shared/status-pages/subscription.ts';
import { KEY, operation } from '../operation.ts';
import { uuidParam } from '../params.ts';
import { statusPageParams as params } from './status-pages.ts';

const tag = 'Status pages';
const path = '/v1/status-pages/{statusPageId}/subscriptions';

const listSubscriptions = operation({
  id: 'listStatusPageSubscriptions',
  method: 'get',
  path,
  tag,
  summary: 'List the subscriptions of a status page',
  description: 'All of them, in the order of their addresses. Only `VERIFIED` ones get mails.',
  access: KEY,
  params,
  status: 200,
  response: z.array(pageSubscriptionView),
  handle: async ({ params }, { pageSubscriptions }) => ({
    content: {
      items: (await pageSubscriptions.list(params.statusPageId)).values().map(viewPageSubscription),
    },
  }),
});

const createSubscriptions = operation({
  id: 'createStatusPageSubscriptions',
  method: 'post',
  path: `${path}/bulk`,
  tag,
  summary: 'Subscribe addresses to a status page',
  description:
    'Those that the page has already are skipped. Use `autoVerify` only for addresses whose owners agreed. 409 where the page would have more than 10,000.',
  access: KEY,
  params,
  body: {
    schema: subscriptionsBody,
    // 404 for a page that does not exist comes before 400 for its body.
    choose: ({ params: { statusPageId = '' } }, { statusPages }) => {
      statusPages.find(statusPageId);
      return subscriptionsBody;
    },
  },
  status: 201,
  response: subscriptionsOutcome,
  failures: [409],
  handle: async ({ params, body }, { pageSubscriptions }) => ({
    content: { json: await pageSubscriptions.createMany(params.statusPageId, body) },
  }),
});

const deleteSubscription = operation({
  id: 'deleteStatusPageSubscription',
  method: 'delete',
  path: `${path}/{subscriptionId}`,
  tag,
  summary: 'End a subscription',
  access: KEY,
  params: params.extend({ subscriptionId: uuidParam }),
  status: 204,
  response: null,
  handle: async ({ params: { statusPageId, subscriptionId } }, { pageSubscriptions }) => {
    await pageSubscriptions.delete(statusPageId, subscriptionId);
    return {};
  },
});

export const pageSubscriptionOperations = [
  listSubscriptions,
  createSubscriptions,
  deleteSubscription,
];
