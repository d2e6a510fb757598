/**
 * Texts in Playwright's files, and what stands in their stead in the process of a script. They load what no
 * script reaches: the command line, the tools of assistants with their server, and Node's `fetch` and HTTP/2 before anybody
 * asks for them, together a tenth of the processor time of a small run. Where a version has other texts, it loads all.
 */
export const LEFT_OUT: readonly (readonly [text: string, instead: string])[] = [
  ['    init_program3();\n    init_programWithTestStub();\n', ''],
  ['    init_tools2();\n', ''],
  // The server of the tools.
  ['= globalThis.Headers;', '= class {};'],
  ['= global.Request;', '= class {};'],
  ['= global.Response;', '= class {};'],
  ['= globalThis.CloseEvent ??', '='],
  ['= require("node:http2");', '= { Http2ServerRequest: class {} };'],
  // Proxies for client certificates.
  ['import_http2 = __toESM(require("http2"));', lazily('import_http2')],
  ['import_http22 = __toESM(require("http2"));', lazily('import_http22')],
  // A stack with frames of Playwright: it has no source maps, and megabytes to look for one in.
  [
    'fileData = retrieveFile(source);',
    String.raw`fileData = /[\\/]playwright(-core)?[\\/]lib[\\/]/.test(source) ? "" : retrieveFile(source);`,
  ],
];

function lazily(name: string): string {
  return `${name} = { get default() { return require("http2"); } };`;
}

/** A file of Playwright without what no script needs. */
export function lean(text: string): string {
  return LEFT_OUT.reduce((all, [found, instead]) => all.replace(found, () => instead), text);
}
