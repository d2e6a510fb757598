import { type Completion, snippetCompletion } from '@codemirror/autocomplete';
import { DEFAULT_RUNTIME_ID } from '#shared/checks/enums.ts';
import { librariesOf } from '#shared/sandbox/libraries.ts';
import { dependenciesOf } from '#shared/sandbox/packages.ts';

/** What a script is for: it decides what can be used in it. */
export type ScriptKind = 'setup' | 'teardown' | 'snippet' | 'browser' | 'multistep';

/** What a script finds around it. */
export interface ScriptWorld {
  kind: ScriptKind;
  /** Keys of variables, and whose they are. */
  variables: readonly { key: string; detail: string }[];
  /** Names of snippets. */
  snippets: readonly string[];
  runtimeId: string | null;
}

/** A script is a Playwright test, rather than one around a request. */
function isSpec(kind: ScriptKind): boolean {
  return kind === 'browser' || kind === 'multistep';
}

/** Names by what they are members of, each with its arguments. */
const MEMBERS = {
  request: 'method url body headers queryParameters',
  response: 'statusCode statusText body headers',
  console: 'log(…) info(…) warn(…) error(…)',
  requestContext:
    'get(url) post(url,options) put(url,options) patch(url,options) delete(url) head(url) fetch(url,options)',
  page: 'goto(url) getByRole(role,options) getByLabel(text) getByText(text) getByPlaceholder(text) getByTestId(id) getByAltText(text) getByTitle(text) locator(selector) waitForURL(url) waitForResponse(url) waitForLoadState(state) title() url() content() screenshot(options) reload() goBack() evaluate(script) route(url,handler) keyboard mouse request on(event,listener) setViewportSize(size) close()',
  locator:
    'click() fill(value) press(key) check() uncheck() selectOption(value) hover() focus() first() last() nth(index) filter(options) getByRole(role,options) getByLabel(text) getByText(text) locator(selector) textContent() innerText() inputValue() getAttribute(name) count() isVisible() waitFor() screenshot() setInputFiles(files) dragTo(target)',
  context: 'newPage() cookies() addCookies(cookies) clearCookies() grantPermissions(names) request',
  test: 'step(title,body) describe(title,body) use(options) beforeEach(body) afterEach(body) beforeAll(body) afterAll(body) extend(fixtures) skip() fixme() slow() setTimeout(ms) info()',
  matcher:
    'toBe(value) toEqual(value) toMatchObject(value) toBeTruthy() toBeFalsy() toBeNull() toBeDefined() toContain(item) toHaveLength(length) toMatch(pattern) toBeGreaterThan(number) toBeLessThan(number) toThrow() not',
  pageMatcher:
    'toBeVisible() toBeHidden() toBeEnabled() toBeDisabled() toBeChecked() toHaveText(text) toContainText(text) toHaveValue(value) toHaveURL(url) toHaveTitle(title) toHaveCount(count) toHaveAttribute(name,value) toBeOK() toHaveScreenshot()',
  answer: 'status() statusText() ok() headers() json() text() body() url()',
} as const;

/** Longest before shortest: the first that matches says whose members stand at the cursor. */
const PLACES: readonly {
  before: RegExp;
  of: (keyof typeof MEMBERS)[];
  kinds: (kind: ScriptKind) => boolean;
}[] = [
  {
    before: /\bexpect(?:\.soft)?\(.*\)\.(?:not\.)?[\w$]*$/,
    of: ['pageMatcher', 'matcher'],
    kinds: isSpec,
  },
  { before: /\b(?:page|context)\.request\.[\w$]*$/, of: ['requestContext'], kinds: isSpec },
  { before: /\bpage\..*\)\.[\w$]*$/, of: ['locator'], kinds: isSpec },
  { before: /(?:^|[^\w$.])request\.[\w$]*$/, of: ['requestContext'], kinds: isSpec },
  { before: /(?:^|[^\w$.])request\.[\w$]*$/, of: ['request'], kinds: (kind) => !isSpec(kind) },
  {
    before: /(?:^|[^\w$.])response\.[\w$]*$/,
    of: ['response'],
    kinds: (kind) => kind === 'teardown' || kind === 'snippet',
  },
  { before: /(?:^|[^\w$.])(?:response|answer)\.[\w$]*$/, of: ['answer'], kinds: isSpec },
  { before: /(?:^|[^\w$.])page\.[\w$]*$/, of: ['page'], kinds: (kind) => kind === 'browser' },
  { before: /(?:^|[^\w$.])context\.[\w$]*$/, of: ['context'], kinds: (kind) => kind === 'browser' },
  { before: /(?:^|[^\w$.])test\.[\w$]*$/, of: ['test'], kinds: isSpec },
  { before: /(?:^|[^\w$.])console\.[\w$]*$/, of: ['console'], kinds: () => true },
];

/** Modules of Node.js that scripts around a request have. */
const BUILT_INS =
  'assert buffer crypto events path querystring stream stream/promises string_decoder timers timers/promises url util zlib'.split(
    ' ',
  );

const NAMES: Record<ScriptKind, string> = {
  setup:
    'request process.env console fetch(url,options) require(name) Buffer URL URLSearchParams crypto',
  teardown:
    'request response process.env console fetch(url,options) require(name) Buffer URL URLSearchParams crypto',
  snippet:
    'request response module.exports process.env console fetch(url,options) require(name) Buffer URL URLSearchParams crypto',
  browser: 'page context browser request expect(value) test process.env console',
  multistep: 'request expect(value) test process.env console',
};

const TEST_BODY = '{ #{2:page} }) => {\n\t#{3}\n});';
const TEMPLATES: Partial<Record<ScriptKind, Completion[]>> = {
  browser: templatesOf('page'),
  multistep: templatesOf('request'),
};

function templatesOf(fixture: string): Completion[] {
  const body = TEST_BODY.replace('page', fixture);
  return [
    snippetCompletion(`test('#{1:what a visitor does}', async (${body}`, {
      label: 'test',
      detail: '(title, body)',
      type: 'function',
      boost: 2,
    }),
    snippetCompletion("await test.step('#{1:what is done}', async () => {\n\t#{2}\n});", {
      label: 'step',
      detail: '(title, body)',
      type: 'function',
    }),
  ];
}

/**
 * What may stand at the cursor.
 *
 * @param before the text before it on its line
 * @param isAsked whether somebody asked for words, rather than just typed
 */
export function wordsAt(before: string, world: ScriptWorld, isAsked: boolean): Completion[] {
  if (/\bprocess\.env\.[\w$]*$/.test(before)) {
    return world.variables
      .filter(({ key }) => /^[A-Za-z_$][\w$]*$/.test(key))
      .map(({ key, detail }) => ({ label: key, detail, type: 'constant' }));
  }
  if (/(?:\brequire\(|\bfrom |\bimport )\s*['"][^'"]*$/.test(before)) return modulesOf(world);
  if (/[\w$)\]]\.[\w$]*$/.test(before)) return membersAt(before, world.kind);
  if (!isAsked && !/[\w$]$/.test(before)) return [];
  return [...(TEMPLATES[world.kind] ?? []), ...namesOf(NAMES[world.kind], 'variable')];
}

function membersAt(before: string, kind: ScriptKind): Completion[] {
  const place = PLACES.find((one) => one.kinds(kind) && one.before.test(before));
  return (place?.of ?? []).flatMap((name) => namesOf(MEMBERS[name], 'property'));
}

/** Names in a text with spaces between them; one with arguments is a function. */
function namesOf(names: string, type: string): Completion[] {
  return names.split(' ').map((one) => {
    const [label = '', call] = one.split('(');
    return call === undefined
      ? { label, type }
      : { label, type: 'function', detail: `(${call.replaceAll(',', ', ')}` };
  });
}

function modulesOf({ kind, runtimeId, snippets }: ScriptWorld): Completion[] {
  const id = runtimeId ?? DEFAULT_RUNTIME_ID;
  const libraries = isSpec(kind) ? dependenciesOf(id) : librariesOf(id);
  return [
    ...Object.entries(libraries).map(([label, detail]) => ({ label, detail, type: 'namespace' })),
    ...(isSpec(kind) ? [] : BUILT_INS.map((label) => ({ label, type: 'namespace' }))),
    ...snippets.map((name) => ({ label: `./snippets/${name}.js`, type: 'text' })),
  ];
}
