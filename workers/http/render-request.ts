import type { RunFailure } from '#shared/runs/protocol.ts';
import type { HttpCheckRequest, KeyValue } from './request.ts';
import { renderTemplate } from './request-template.ts';

type Variables = Readonly<Record<string, string>>;

/** Fills in templates, and remembers what could not be. */
export class TemplateRun {
  variables: Variables;
  /** One sentence for each template that names nothing known, bounded. */
  readonly warnings: string[] = [];
  failure: RunFailure | null = null;

  constructor(variables: Variables) {
    this.variables = variables;
  }

  /** @param place what the text is, in a sentence */
  fill(text: string, place: string): string {
    const rendered = renderTemplate(text, this.variables);
    for (const name of rendered.unknown) this.#warn(`${name} in ${place} is not known`);
    if (rendered.isTooLarge) {
      const message = `With its templates filled in, ${place} is larger than 1 MB`;
      this.failure ??= { cause: 'INVALID_TARGET', message };
    }
    return rendered.text;
  }

  #warn(warning: string): void {
    if (this.warnings.length < MAX_WARNINGS) this.warnings.push(`${warning}, left as written`);
  }
}

const MAX_WARNINGS = 20;

/**
 * A request with its templates filled in: URL, values of headers and of query parameters, body and
 * basic authentication. From the URL on, `REQUEST_URL` is it.
 */
export function renderRequest(ask: HttpCheckRequest, templates: TemplateRun): HttpCheckRequest {
  const url = templates.fill(ask.url, 'the URL');
  templates.variables = { ...templates.variables, REQUEST_URL: url };
  const fillValue = (kind: string) => (item: KeyValue) => ({
    ...item,
    value: templates.fill(item.value, `the ${kind} ${item.key}`),
  });
  return {
    ...ask,
    url,
    headers: ask.headers.map(fillValue('header')),
    queryParameters: ask.queryParameters.map(fillValue('query parameter')),
    body: ask.bodyType === 'NONE' ? ask.body : templates.fill(ask.body, 'the body'),
    basicAuth: ask.basicAuth && {
      username: templates.fill(ask.basicAuth.username, 'the user name'),
      password: templates.fill(ask.basicAuth.password, 'the password'),
    },
  };
}
