import type { Express, Request, RequestHandler, Response } from 'express';
import { ipKeyGenerator } from 'express-rate-limit';
import { ignoredFields, ignoredFieldsHeader } from '#shared/api/ignored-fields.ts';
import { ApiError } from '../api-error.ts';
import type { Context, Operation } from '../operation.ts';
import { DEFAULT_BODY_LIMIT_BYTES } from '../options.ts';
import { authorize, senderOf } from './identify.ts';
import { parseRequest } from './parse-request.ts';
import { acceptUpload, readBody, readForm } from './read-body.ts';
import { send } from './send.ts';

/** Adds a route for every operation of the table, and a 405 for other methods on its path. */
export function mount(app: Express, operations: readonly Operation[], context: Context): void {
  const limitBytes = context.options.bodyLimitBytes ?? DEFAULT_BODY_LIMIT_BYTES;
  const all = operations.flatMap((operation) => withFormerPath(operation, context));
  for (const [path, group] of byPath(all)) {
    const route = path.replaceAll(/\{(\w+)\+\}/g, '*$1').replaceAll(/\{(\w+)\}/g, ':$1');
    const refuse = refuseMethod(group);
    // Express gives HEAD to GET's handler, which must not happen where GET counts.
    if (group.some(({ refusesHead }) => refusesHead)) app.head(route, refuse);
    for (const operation of group) {
      const body = bodyReaders(operation, limitBytes);
      app[operation.method](route, guard(operation, context), ...body, act(operation, context));
    }
    // Of the route: that of the application adds a handler for each of HTTP's 35 methods.
    app.route(route).all(refuse);
  }
}

function bodyReaders({ body, upload }: Operation, limitBytes: number): RequestHandler[] {
  if (upload) return [acceptUpload];
  if (body === undefined) return [];
  return body.isForm ? readForm() : readBody(limitBytes);
}

function withFormerPath(operation: Operation, { options }: Context): Operation[] {
  const { path, formerPath } = operation;
  if (formerPath === undefined) return [operation];
  let isSaid = false;
  const handle: Operation['handle'] = (input, context) => {
    // A former path is logged once: clients may call it every few seconds.
    if (!isSaid) {
      options.log.warn(
        `${formerPath} is now ${path}; the next version will not answer the old path.`,
      );
    }
    isSaid = true;
    return operation.handle(input, context);
  };
  return [operation, { ...operation, path: formerPath, handle }];
}

/** Paths without parameters come first: `/v1/checks/api` is no id. */
function byPath(operations: readonly Operation[]): [string, Operation[]][] {
  const groups = Map.groupBy(operations, ({ path }) => path);
  return [...groups].toSorted(([one], [other]) => parameters(one) - parameters(other));
}

function parameters(path: string): number {
  return path.split('{').length - 1;
}

function guard({ access }: Operation, context: Context): RequestHandler {
  return (request, response, next) => {
    authorize(access, request, response, context);
    next();
  };
}

function act(operation: Operation, context: Context): RequestHandler {
  return async (request, response) => {
    const { params, query, body, schema } = await parseRequest(operation, request, context);
    if (schema !== undefined) nameIgnored(response, ignoredFields(schema, request.body));
    const input = {
      params,
      query,
      body,
      upload: operation.upload ? request.iterator({ destroyOnReturn: false }) : request,
      account: context.accounts.own(),
      baseUrl: context.options.publicUrl ?? addressedAs(request),
      path: request.path,
      header: (name: string) => request.get(name),
      sender: ipKeyGenerator(request.ip ?? ''),
      signIn: senderOf(response).signIn,
      key: senderOf(response).key,
      isGone: () => request.socket.destroyed,
    };
    try {
      const reply = await operation.handle(input as never, context);
      response.set('cache-control', 'no-store');
      await send(response, reply.status ?? operation.status, reply);
    } finally {
      // What a refused upload still sends would stand in the way of the next request.
      if (operation.upload) request.resume();
    }
  };
}

/** `https` only on the word of a trusted proxy, which may pass on any other that a client says. */
function addressedAs(request: Request): string {
  return `${request.secure ? 'https' : 'http'}://${request.get('host')}`;
}

function nameIgnored(response: Response, names: readonly string[]): void {
  if (names.length > 0) response.set('x-ignored-fields', ignoredFieldsHeader(names));
}

function refuseMethod(operations: readonly Operation[]): RequestHandler {
  const methods = operations.flatMap(({ method, refusesHead }) =>
    method === 'get' && !refusesHead ? ['GET', 'HEAD'] : [method.toUpperCase()],
  );
  const allow = methods.join(', ');
  return (request: Request) => {
    throw new ApiError(405, `${request.method} is not possible here, only ${allow}`, {
      headers: { allow },
    });
  };
}
