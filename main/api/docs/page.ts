import type { OpenApiDocument } from '../openapi/document.ts';
import { html, type Markup, prose } from './html.ts';
import { badge, type Entry, operationView } from './operation-view.ts';
import { schemaView } from './schema-view.ts';

/** Stands in the page for the address that it is served from. */
const BASE_URL = '{baseUrl}';

/**
 * The documentation as one page for the address that it is served from, made of the document that is
 * served. It runs no script and loads one style sheet of its own, so the strictest content policy
 * allows it.
 */
export function renderDocs(document: OpenApiDocument): (baseUrl: string) => string {
  const page = renderPage(document);
  return (baseUrl) => page.replaceAll(BASE_URL, () => html`${baseUrl}`.text);
}

function renderPage(document: OpenApiDocument): string {
  const groups = document.tags.map(({ name }) => ({ name, entries: entriesOf(document, name) }));
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${document.info.title}</title>
<link rel="stylesheet" href="/docs/style.css">
</head>
<body>
<nav aria-label="Operations">
<a class="brand" href="#top"><span class="beacon"></span>Watchpost</a>
${groups.map(({ name, entries }) => menu(name, entries))}
<p class="all"><a href="#schemas">Schemas</a></p>
</nav>
<main id="top">
${opening(document)}
${groups.map(({ name, entries }) => section(name, entries))}
${schemas(document)}
</main>
</body>
</html>
`.text;
}

function entriesOf({ paths }: OpenApiDocument, tag: string): Entry[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => operation.tags.includes(tag))
      .map(([method, operation]) => ({ method, path, operation })),
  );
}

const FIRST_CALL = `curl ${BASE_URL}/v1/checks/url \\
  -H 'Authorization: Bearer <key>' \\
  -H 'Content-Type: application/json' \\
  -d '{"name": "Home page", "frequency": 1, "request": {"url": "https://example.org/"}}'`;

function opening({ info }: OpenApiDocument): Markup {
  return html`<header>
<h1>${info.title} <small>${info.version}</small></h1>
<p class="lead">Watchpost runs checks on a schedule and keeps what it saw. This is its HTTP API.</p>
<p>${prose(info.description)}</p>
<p>The same as an <a href="/openapi.json">OpenAPI 3.1 document</a>.</p>
<h3>A first check</h3>
<pre><code>${FIRST_CALL}</code></pre>
</header>`;
}

function menu(tag: string, entries: readonly Entry[]): Markup {
  const items = entries.map(
    ({ method, path, operation }) =>
      html`<li><a href="#${operation.operationId}" title="${operation.summary}">${badge(method)}<span>${path}</span></a></li>`,
  );
  return html`<details><summary>${tag}</summary><ul>${items}</ul></details>`;
}

function section(tag: string, entries: readonly Entry[]): Markup {
  return html`<section><h2>${tag}</h2>${entries.map(operationView)}</section>`;
}

function schemas({ components }: OpenApiDocument): Markup {
  const views = Object.entries(components.schemas).map(
    ([name, schema]) =>
      html`<details class="operation"><summary><code class="path">${name}</code></summary><div class="body" id="schema-${name}">${schemaView(schema)}</div></details>`,
  );
  return html`<section id="schemas"><h2>Schemas</h2>${views}</section>`;
}
