import type { z } from 'zod';
import type { EventSink } from '#main/services/live-events.ts';
import type { Services } from '#main/services/services.ts';
import type { PublishedDocument } from '#main/status-pages/status-pages-port.ts';
import type { Account, ApiKey } from '#main/store/configuration/configuration.ts';
import type { JsonText } from '#main/store/history/history.ts';
import type { ErrorStatus } from '#shared/api/errors.ts';
import type { Clock } from '#shared/clock.ts';
import type { SignIn } from '#shared/sign-ins/sign-in.ts';
import type { ApiOptions } from './options.ts';
import type { ServedFile, UiFiles } from './ui/ui-files.ts';

/** What handlers work with, made once by `createApi`. */
export interface Context extends Services {
  options: ApiOptions;
  /** The time of answers, as in how long a session has been running. */
  clock: Clock;
  /** What is generated from the table of operations and the registry of metrics. */
  pages: Pages;
}

export interface Pages {
  ui: UiFiles;
  /** The document as JSON text. */
  openapi(): Promise<string>;
  metrics(): Promise<string>;
}

/** Who may call an operation. An operation that needs no key says why. */
export type Access =
  | { kind: 'key' }
  | { kind: 'admin' }
  /** A page of the interface, by its cookie; nothing else takes it. */
  | { kind: 'cookie' }
  | { kind: 'open'; why: string };

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

export const TAGS = [
  'Checks',
  'Check groups',
  'Check results',
  'Check statuses',
  'Analytics',
  'Error groups',
  'Check sessions',
  'Test sessions',
  'Triggers',
  'Heartbeats',
  'Alert channels',
  'Check alerts',
  'Alert notifications',
  'Maintenance windows',
  'Status pages',
  'Incidents',
  'Dashboards',
  'Badges',
  'Snippets and variables',
  'Locations and runtimes',
  'Accounts',
  'Appliance',
] as const;
export type Tag = (typeof TAGS)[number];

/** One route of the API with its documentation. */
export interface Operation {
  id: string;
  method: Method;
  /** With parameters as `{id}`, the last one as `{name+}` where it may have slashes: an array of its parts. */
  path: string;
  /** Its path in the version before; still answered, with a line in the log. */
  formerPath?: string;
  tag: Tag;
  summary: string;
  description?: string;
  access: Access;
  /** Not in the public document: only the appliance's own tools call it. */
  internal?: boolean;
  /** A newer operation takes its place. */
  deprecated?: boolean;
  /** A GET that changes something answers no HEAD. */
  refusesHead?: boolean;
  params?: z.ZodObject;
  query?: z.ZodObject;
  /** Chooses the schema of a query that depends on what is stored; `query` is what is documented. */
  chooseQuery?(params: Record<string, string>, context: Context): z.ZodObject | undefined;
  body?: BodySchema;
  /** The body is bytes of any length, which the handler reads as they arrive. */
  upload?: boolean;
  status: 200 | 201 | 204 | 302 | 303;
  /** Null for an answer without a JSON body. */
  response: z.ZodType | null;
  /** Of the answer, where it is not JSON. */
  mediaType?: string;
  /** Statuses of errors that only this operation answers, for its documentation. */
  failures?: readonly ErrorStatus[];
  handle(input: Input<never, never, never>, context: Context): Reply | Promise<Reply>;
}

export interface BodySchema {
  /** It comes from a form of a page, and not as JSON. */
  isForm?: boolean;
  /** What the documentation shows, and what a body is parsed with where `choose` is missing. */
  schema: z.ZodType;
  /** Chooses the schema of a body whose shape depends on the request. */
  choose?(
    request: { body: unknown; params: Record<string, string> },
    context: Context,
  ): z.ZodType | Promise<z.ZodType>;
}

/** A request that passed every schema. */
export interface Input<P, Q, B> {
  params: P;
  query: Q;
  body: B;
  account: Account;
  /** The body of an operation that takes an upload. Whatever is not read of it is dropped. */
  upload: AsyncIterable<Uint8Array>;
  /** `http://host:port` as the client addressed it. */
  baseUrl: string;
  /** The path of the request below the appliance, as it was written: also of one to a custom domain. */
  path: string;
  header(name: string): string | undefined;
  /** The address that the request came from, or its network: a sender may have many of IPv6. */
  sender: string;
  /** Whose page of the interface asks; undefined of a key. */
  signIn: SignIn | undefined;
  /** The key that asks; undefined of a page of the interface. */
  key: ApiKey | undefined;
  /** Whether the client hung up, so that the answer is not needed. */
  isGone(): boolean;
}

export interface Reply {
  /** Where it is not the operation's own. */
  status?: ErrorStatus | 302;
  headers?: Record<string, string>;
  content?:
    | { json: unknown }
    /** A long list, sent in slices; as the one member of an object where a name is given. */
    | { items: Iterable<unknown> | AsyncIterable<unknown>; member?: string }
    /** JSON that is ready, in parts that follow one another. */
    | { parts: readonly JsonText[] }
    | { text: string; type: string }
    /** A document that is held, compressed: 304 for whoever has it. */
    | { document: PublishedDocument }
    /** A file that lies compressed beside itself. */
    | { file: ServedFile }
    /** Messages for as long as the client listens; answers the way to stop. */
    | { stream: (sink: EventSink) => () => void }
    /** A file, or the ranges of it that are asked for; disposed of once it is sent. */
    | { streamed: SentFile }
    /** A long text in pieces, sent in slices. */
    | { pieces: Iterable<string>; type: string }
    /** The same in bytes, which are sent as they come. */
    | { bytes: Iterable<Buffer>; type: string };
}

export interface SentFile extends Disposable {
  /** Absolute. It may be gone, which is a 404. */
  path: string;
}

type OutputOf<S> = S extends z.ZodType ? z.output<S> : Record<never, never>;

type Definition<P, Q, B> = Omit<Operation, 'params' | 'query' | 'body' | 'handle'> & {
  params?: P & z.ZodObject;
  query?: Q & z.ZodObject;
  body?: Omit<BodySchema, 'schema'> & { schema: B };
  handle(
    input: Input<OutputOf<P>, OutputOf<Q>, OutputOf<B>>,
    context: Context,
  ): Reply | Promise<Reply>;
};

/** Defines an operation; its handler's input has the types of its schemas. */
export function operation<
  P extends z.ZodObject | undefined = undefined,
  Q extends z.ZodObject | undefined = undefined,
  B extends z.ZodType | undefined = undefined,
>(definition: Definition<P, Q, B>): Operation {
  return definition as unknown as Operation;
}

export const KEY: Access = { kind: 'key' };
export const ADMIN: Access = { kind: 'admin' };
export const COOKIE: Access = { kind: 'cookie' };
export const openTo = (why: string): Access => ({ kind: 'open', why });
