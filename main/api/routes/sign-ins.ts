import { z } from 'zod';
import { VERSION } from '#main/platform/version.ts';
import { ACCESS_SECONDS, LINK_SECONDS } from '#main/services/sign-ins.ts';
import {
  access,
  type SignIn,
  signInBody,
  signInLink,
  signInView,
} from '#shared/sign-ins/sign-in.ts';
import { ApiError } from '../api-error.ts';
import { refuseOtherOrigins, setSignInCookie, signInCookie } from '../http/sign-in-cookie.ts';
import { ADMIN, COOKIE, type Context, type Input, KEY, openTo, operation } from '../operation.ts';
import { idParams } from '../params.ts';

const tag = 'Appliance';

type AnyInput = Pick<Input<unknown, unknown, unknown>, 'account' | 'baseUrl'>;

const begin = operation({
  id: 'signIn',
  method: 'post',
  path: '/app/sign-in',
  tag,
  summary: 'Sign a browser in at the interface',
  description:
    'With an API key, or with the token of the link that the start prints and that works once. Sets the cookie that `GET /app/sign-in` asks for.',
  access: openTo('the key or the token is the secret; few wrong ones are tried within a minute'),
  internal: true,
  body: { schema: signInBody },
  status: 201,
  response: access,
  failures: [401, 429],
  handle: async (input, context) => {
    const { body, sender } = input;
    // A page elsewhere could sign its reader in as somebody else.
    refuseOtherOrigins('POST', input.header, context.options.publicUrl);
    const browser = input.header('user-agent') ?? '';
    const begun = await context.signIns.begin(body, { sender, browser });
    if (begun === null) throw new ApiError(401, refusalOf(body));
    return answer(begun.signIn, begun.cookie, input, context);
  },
});

function refusalOf(body: z.output<typeof signInBody>): string {
  return 'key' in body
    ? 'key: this is no API key of this appliance'
    : 'token: this link was used or is too old; `watchpost open` makes a new one';
}

const renew = operation({
  id: 'renewAccess',
  method: 'get',
  path: '/app/sign-in',
  tag,
  summary: 'Get an access token for a page of the interface',
  description:
    'By its cookie. The token is what the page sends to the rest of the API; it holds for some minutes.',
  access: COOKIE,
  internal: true,
  status: 200,
  response: access,
  handle: async (input, context) => {
    const signIn = input.signIn as SignIn;
    await context.signIns.touch(signIn);
    // The browser holds it for 30 days from now on.
    const cookie = signInCookie(input.header('cookie'), input.account);
    return answer(signIn, cookie, input, context);
  },
});

const signOut = operation({
  id: 'signOut',
  method: 'delete',
  path: '/app/sign-in',
  tag,
  summary: 'Sign this browser out',
  access: COOKIE,
  internal: true,
  status: 204,
  response: null,
  handle: async (input, { signIns }) => {
    await signIns.end((input.signIn as SignIn).id);
    return { headers: { 'set-cookie': setSignInCookie(null, input) } };
  },
});

const list = operation({
  id: 'listSignIns',
  method: 'get',
  path: '/app/sign-ins',
  tag,
  summary: 'List the browsers that are signed in',
  access: KEY,
  internal: true,
  status: 200,
  response: z.array(signInView),
  handle: ({ signIn }, context) => ({
    content: { json: context.signIns.all().map((one) => view(one, signIn, context)) },
  }),
});

const end = operation({
  id: 'endSignIn',
  method: 'delete',
  path: '/app/sign-ins/{id}',
  tag,
  summary: 'Sign one browser out',
  access: KEY,
  internal: true,
  params: idParams,
  status: 204,
  response: null,
  handle: async ({ params: { id } }, { signIns }) => {
    await signIns.end(id);
    return {};
  },
});

const endAll = operation({
  id: 'endSignIns',
  method: 'delete',
  path: '/app/sign-ins',
  tag,
  summary: 'Sign every browser out, this one too',
  access: KEY,
  internal: true,
  status: 204,
  response: null,
  handle: async (_input, { signIns }) => {
    await signIns.endAll();
    return {};
  },
});

const createLink = operation({
  id: 'createSignInLink',
  method: 'post',
  path: '/app/sign-in-links',
  tag,
  summary: 'Make a link that signs one browser in',
  access: ADMIN,
  internal: true,
  status: 201,
  response: signInLink,
  handle: ({ signIn }, { signIns }) => {
    const token = signIns.createLink(signIn?.key_id ?? null);
    const json = { token, path: linkPath(token), expiresInSeconds: LINK_SECONDS };
    return { content: { json } };
  },
});

/** After a `#`, so that neither the server nor a log in between sees the token before the page sends it. */
export function linkPath(token: string): string {
  return `/sign-in#token=${token}`;
}

function answer(signIn: SignIn, cookie: string | undefined, input: AnyInput, context: Context) {
  const { id: accountId, name: accountName } = input.account;
  const json = {
    accessToken: context.signIns.accessToken(signIn),
    expiresInSeconds: ACCESS_SECONDS,
    signIn: view(signIn, signIn, context),
    version: VERSION,
    accountId,
    accountName,
  };
  return {
    ...(cookie !== undefined && { headers: { 'set-cookie': setSignInCookie(cookie, input) } }),
    content: { json },
  };
}

function view(signIn: SignIn, current: SignIn | undefined, { signIns }: Context) {
  const { id, browser, created_at, used_at } = signIn;
  const keyName = signIns.keyNameOf(signIn);
  return { id, keyName, browser, created_at, used_at, isCurrent: id === current?.id };
}

export const signInOperations = [begin, renew, signOut, list, end, endAll, createLink];
