/** A library that scripts may `require`. */
export interface ScriptLibrary {
  /** What we ship; for our own equivalents the version that they follow. */
  version: string;
  /** Bundled from the package of its name (or a file in it); else our own equivalent in the realm. */
  isBundled: boolean;
  /** The runtimes that have it: from the first to the last, both inclusive (contract 8.1). */
  from: string;
  to: string;
}

const FIRST = '2022.10';
const LAST = '2025.04';

const bundled = (version: string, from = FIRST, to = LAST): ScriptLibrary => ({
  version,
  isBundled: true,
  from,
  to,
});
const ours = (version: string): ScriptLibrary => ({
  version,
  isBundled: false,
  from: FIRST,
  to: LAST,
});

/** Every library of the runtimes that scripts can have, by name. */
export const SCRIPT_LIBRARIES: Readonly<Record<string, ScriptLibrary>> = {
  '@faker-js/faker': bundled('10.6.0'),
  '@t3-oss/env-nextjs': bundled('0.13.11', '2023.09'),
  '@xmldom/xmldom': bundled('0.9.12', '2023.02'),
  aws4: bundled('1.13.2'),
  axios: ours('0.28.0'),
  btoa: bundled('1.2.1'),
  chai: bundled('4.5.0', FIRST, '2024.02'),
  'chai-json-schema': bundled('1.5.1', '2024.02', '2024.02'),
  'chai-string': bundled('1.5.0', FIRST, '2024.02'),
  'crypto-js': bundled('4.2.0'),
  'date-fns': bundled('4.4.0', '2023.02'),
  'date-fns-tz': bundled('3.2.0', '2023.02'),
  dotenv: bundled('16.6.1', '2023.09'),
  ethers: bundled('6.17.0', '2023.09'),
  expect: bundled('29.7.0'),
  'form-data': ours('4.0.4'),
  graphql: bundled('16.15.0', '2024.02'),
  'graphql-tag': bundled('2.12.6', '2024.02'),
  jose: bundled('5.10.0', '2023.02'),
  jsonwebtoken: ours('9.0.2'),
  lodash: bundled('4.18.1'),
  long: bundled('5.3.2', '2024.02'),
  moment: bundled('2.31.0'),
  otpauth: bundled('9.5.2'),
  protobufjs: bundled('7.6.6', '2024.02'),
  'protobufjs/light': bundled('7.6.6', '2024.02', '2024.02'),
  'protobufjs/minimal': bundled('7.6.6', '2024.02', '2024.02'),
  uuid: bundled('14.0.3'),
  zod: bundled('4.6.7', '2023.09'),
};

/** What a runtime has (contract 8.1) and Watchpost cannot give: it needs sockets, files or more. */
export const UNAVAILABLE_LIBRARIES: readonly string[] = [
  '@axe-core/playwright',
  '@azure/identity',
  '@azure/keyvault-secrets',
  '@checkly/playwright-helpers',
  '@clerk/testing',
  '@dvag/playwright-utils',
  '@google-cloud/local-auth',
  '@kubernetes/client-node',
  '@opentelemetry/api',
  '@opentelemetry/exporter-metrics-otlp-grpc',
  '@opentelemetry/sdk-metrics',
  '@opentelemetry/sdk-trace-base',
  '@playwright/test',
  'allure-playwright',
  'gaxios',
  'gmail-api-parse-message-ts',
  'google-auth-library',
  'googleapis',
  'jsdom',
  'mailosaur',
  'mocha',
  'mysql',
  'nice-grpc',
  'nice-grpc-client-middleware-deadline',
  'nice-grpc-client-middleware-devtools',
  'nice-grpc-client-middleware-retry',
  'nice-grpc-common',
  'nice-grpc-error-details',
  'nice-grpc-opentelemetry',
  'nice-grpc-prometheus',
  'nice-grpc-server-health',
  'nice-grpc-server-middleware-terminator',
  'nice-grpc-server-reflection',
  'nice-grpc-web',
  'node-pop3',
  'pdf-parse',
  'pdf2json',
  'playwright',
  'prisma',
  'tedious',
  'twilio',
  'typescript',
  'winston',
  'ws',
  'xml-crypto',
  'xml-encryption',
];

/** Built-in modules of Node that no script can have: what reaches out, and what is not there yet. */
export const UNAVAILABLE_BUILT_INS: readonly string[] = [
  'async_hooks',
  'child_process',
  'cluster',
  'console',
  'constants',
  'dgram',
  'diagnostics_channel',
  'dns',
  'dns/promises',
  'domain',
  'fs',
  'fs/promises',
  'http',
  'http2',
  'https',
  'inspector',
  'module',
  'net',
  'os',
  'perf_hooks',
  'process',
  'punycode',
  'readline',
  'repl',
  'sqlite',
  'stream',
  'stream/promises',
  'stream/web',
  'sys',
  'test',
  'tls',
  'trace_events',
  'tty',
  'v8',
  'vm',
  'wasi',
  'worker_threads',
  'zlib',
];

/** The libraries of one runtime: name to the version that we ship. */
export function librariesOf(runtimeId: string): Record<string, string> {
  const had = Object.entries(SCRIPT_LIBRARIES).filter(
    ([, { from, to }]) => runtimeId >= from && runtimeId <= to,
  );
  return Object.fromEntries(had.map(([name, { version }]) => [name, version]));
}

/** The name of a library's bundle, without a folder: `@faker-js/faker` is `faker-js-faker.js`. */
export function bundleName(library: string): string {
  return `${library.replace('@', '').replaceAll('/', '-')}.js`;
}

/** The name of its code cache: the bundle as V8 compiled it. */
export function cacheName(library: string): string {
  return `${bundleName(library)}.cache`;
}
