import type { OperationObject, ParameterObject } from '../openapi/document.ts';
import { html, type Markup, prose } from './html.ts';
import { memberRow, schemaView } from './schema-view.ts';

/** One operation of the document with its place in it. */
export interface Entry {
  method: string;
  path: string;
  operation: OperationObject;
}

// A link to something inside a closed `details` opens it: hence the id on the body.
export function operationView({ method, path, operation }: Entry): Markup {
  const { operationId, summary, description, deprecated, security, requestBody } = operation;
  return html`<details class="operation">
<summary>${badge(method)}<code class="path">${path}</code><span class="summary">${prose(summary)}</span>${deprecated ? html`<span class="open">deprecated</span>` : null}${security.length === 0 ? html`<span class="open">no key</span>` : null}</summary>
<div class="body" id="${operationId}">
${description === undefined ? null : html`<p>${prose(description)}</p>`}
${parametersView(operation.parameters)}
${requestBody === undefined ? null : contentView('Body', requestBody.content)}
${responsesView(operation.responses)}
</div>
</details>`;
}

export function badge(method: string): Markup {
  return html`<span class="method ${method}">${method.toUpperCase()}</span>`;
}

function parametersView(parameters: readonly ParameterObject[]): Markup | null {
  if (parameters.length === 0) return null;
  const rows = parameters.map(({ name, in: place, required, description, schema }) =>
    memberRow(place === 'header' ? `${name}:` : name, { ...schema, description }, required),
  );
  return html`<h4>Parameters</h4><div class="scroll"><table><thead><tr><th>Name</th><th>Type</th><th>Meaning</th></tr></thead><tbody>${rows}</tbody></table></div>`;
}

type Content = NonNullable<OperationObject['requestBody']>['content'];

function contentView(title: string, content: Content): Markup {
  const { schema = {} } = content['application/json'] ?? {};
  return html`<h4>${title}</h4>${schemaView(schema)}`;
}

function responsesView(responses: OperationObject['responses']): Markup {
  const [success, ...failures] = Object.entries(responses);
  if (success === undefined) return html``;
  const [status, { description, content }] = success;
  const others = failures.map(
    ([code, { description: words }]) => html`<li><b>${code}</b> ${words}</li>`,
  );
  return html`${content === undefined ? html`<h4>Answer ${status}</h4><p class="type">${description}</p>` : contentView(`Answer ${status}`, content)}<ul class="failures">${others}</ul>`;
}
