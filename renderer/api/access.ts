import type { Access } from '#shared/sign-ins/sign-in.ts';
import { ApiProblem, problemOf } from './problem.ts';
import { createStore } from './store.ts';

/**
 * Whether this page may call the API:
 * - `unknown`: nobody has asked yet
 * - `out`: the browser is not signed in
 * - `in`: it is
 * - `ended`: it was, while the page was open; requests wait until it is again
 */
export type AccessState =
  | { kind: 'unknown' | 'out' }
  | { kind: 'in' | 'ended'; access: Access; expiresAt: number };

const PATH = '/app/sign-in';
/** A token is renewed this long before it ends. */
const EARLY_MS = 60_000;

export const accessStore = createStore<AccessState>({ kind: 'unknown' });

let renewing: Promise<AccessState> | null = null;

/** Asks by the cookie whether the browser is signed in; many callers ask once. @throws ApiProblem */
export function renewAccess(): Promise<AccessState> {
  renewing ??= renew().finally(() => {
    renewing = null;
  });
  return renewing;
}

/** @throws ApiProblem of status 401 where the key or the token is none */
export async function signIn(body: { key: string } | { token: string }): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const response = await send({ method: 'POST', headers, body: JSON.stringify(body) });
  if (!response.ok) throw await problemOf(response);
  enter((await response.json()) as Access);
}

export async function signOut(): Promise<void> {
  await send({ method: 'DELETE' });
  accessStore.set({ kind: 'out' });
}

/** Every browser was signed out, this one too. */
export function leave(): void {
  accessStore.set({ kind: 'out' });
}

/**
 * The token for the next request. Where the sign-in ended, this waits until somebody signs in again.
 *
 * @param refused a token that the appliance did not take, for which another one is wanted
 */
export async function accessToken(signal?: AbortSignal, refused?: string): Promise<string> {
  for (;;) {
    const state = accessStore.get();
    if (state.kind === 'in' && state.access.accessToken !== refused && !isDue(state)) {
      return state.access.accessToken;
    }
    if (state.kind === 'ended') await accessStore.change(signal);
    else if ((await renewAccess()).kind === 'out') throw new ApiProblem(401, 'Not signed in');
  }
}

function isDue({ expiresAt }: { expiresAt: number }): boolean {
  return Date.now() > expiresAt - EARLY_MS;
}

async function renew(): Promise<AccessState> {
  const response = await send({ method: 'GET' });
  if (response.ok) enter((await response.json()) as Access);
  else if (response.status === 401 || response.status === 403) lose();
  else throw await problemOf(response);
  return accessStore.get();
}

function enter(access: Access): void {
  const expiresAt = Date.now() + access.expiresInSeconds * 1_000;
  accessStore.set({ kind: 'in', access, expiresAt });
}

/** A page that was used asks for a new sign-in where it is; any other one goes to the sign-in page. */
function lose(): void {
  const state = accessStore.get();
  const wasIn = state.kind === 'in' || state.kind === 'ended';
  accessStore.set(wasIn ? { ...state, kind: 'ended' } : { kind: 'out' });
}

async function send(request: RequestInit): Promise<Response> {
  try {
    return await fetch(PATH, request);
  } catch (error) {
    throw new ApiProblem(0, error instanceof Error ? error.message : String(error));
  }
}
