/** A version of a library, in the runtimes from the first to the last, both inclusive. */
export interface LibraryVersion {
  /** What we ship; for our own equivalents the version that they follow. */
  version: string;
  /** The package that is bundled, or a file in it or of ours; null: an equivalent in the realm. */
  entry: string | null;
  from: string;
  to: string;
}

const FIRST = '2022.10';
const LAST = '2026.04';

const bundled = (version: string, entry: string, from = FIRST, to = LAST): LibraryVersion => ({
  version,
  entry,
  from,
  to,
});
const ours = (version: string): LibraryVersion => ({ version, entry: null, from: FIRST, to: LAST });

/**
 * Every library of the runtimes that scripts can have, newest version first: the runtime's major
 * version, or the nearest one that is worth its place (docs/guide/scripts.md names those).
 */
export const SCRIPT_LIBRARIES: Readonly<Record<string, readonly LibraryVersion[]>> = {
  '@faker-js/faker': [
    bundled('10.6.0', '@faker-js/faker/locale/en', '2026.04'),
    bundled('9.9.0', 'faker-9/locale/en', '2024.09', '2025.04'),
    bundled('8.4.1', 'faker-8/locale/en', FIRST, '2024.02'),
  ],
  '@t3-oss/env-nextjs': [bundled('0.13.11', '@t3-oss/env-nextjs', '2023.09')],
  '@xmldom/xmldom': [
    bundled('0.9.12', '@xmldom/xmldom', '2024.09'),
    bundled('0.8.15', 'xmldom-0.8', '2023.02', '2024.02'),
  ],
  aws4: [bundled('1.13.2', 'aws4')],
  axios: [ours('0.28.0')],
  btoa: [bundled('1.2.1', 'btoa', FIRST, '2025.04')],
  chai: [bundled('4.5.0', 'chai', FIRST, '2024.02')],
  'chai-json-schema': [bundled('1.5.1', 'chai-json-schema', '2024.02', '2024.02')],
  'chai-string': [bundled('1.5.0', 'chai-string', FIRST, '2024.02')],
  'crypto-js': [bundled('4.2.0', 'crypto-js')],
  'date-fns': [bundled('4.4.0', 'date-fns', '2023.02')],
  'date-fns-tz': [
    bundled('3.2.0', 'date-fns-tz', '2024.02'),
    bundled('3.2.0', './workers/sandbox/host/stand-ins/date-fns-tz-2.ts', '2023.02', '2023.09'),
  ],
  dotenv: [
    bundled('17.4.2', 'dotenv-17', '2026.04'),
    bundled('16.6.1', 'dotenv', '2023.09', '2025.04'),
  ],
  ethers: [bundled('6.17.0', 'ethers', '2023.09')],
  expect: [
    bundled('30.5.2', 'expect-30', '2026.04'),
    bundled('29.7.0', 'expect', FIRST, '2025.04'),
  ],
  'form-data': [ours('4.0.4')],
  graphql: [bundled('16.15.0', 'graphql', '2024.02')],
  'graphql-tag': [bundled('2.12.6', 'graphql-tag', '2024.02')],
  jose: [
    bundled('6.2.17', 'jose-6', '2026.04'),
    bundled('5.10.0', 'jose', '2024.02', '2025.04'),
    bundled('4.15.9', 'jose-4', '2023.02', '2023.09'),
  ],
  jsonwebtoken: [
    bundled('9.0.3', 'jsonwebtoken', '2023.02'),
    bundled('8.5.1', 'jsonwebtoken-8', FIRST, '2022.10'),
  ],
  lodash: [bundled('4.18.1', 'lodash')],
  long: [bundled('5.3.2', 'long', '2024.02')],
  moment: [bundled('2.31.0', 'moment')],
  otpauth: [bundled('9.5.2', 'otpauth')],
  protobufjs: [
    bundled('8.8.1', 'protobufjs-8', '2026.04'),
    bundled('7.6.6', 'protobufjs', '2024.02', '2025.04'),
  ],
  'protobufjs/light': [bundled('7.6.6', 'protobufjs/light', '2024.02', '2024.02')],
  'protobufjs/minimal': [bundled('7.6.6', 'protobufjs/minimal', '2024.02', '2024.02')],
  uuid: [
    bundled('11.1.0', 'uuid-11', '2025.04'),
    bundled('10.0.0', 'uuid-10', '2024.09', '2024.09'),
    bundled('9.0.1', 'uuid-9', FIRST, '2024.02'),
  ],
  zod: [bundled('3.25.76', 'zod-3', '2023.09')],
};

const NEWEST_NODE = 'v24.13.1';

/** Node.js of each runtime, by the runtime's id. */
const NODE_VERSIONS: Readonly<Record<string, string>> = {
  '2026.04': NEWEST_NODE,
  '2025.04': 'v22.11.0',
  '2024.09': 'v18.20.3',
  '2024.02': 'v18.20.3',
  '2023.09': 'v18.20.3',
  '2023.02': 'v16.20.2',
  '2022.10': 'v16.20.2',
};

/** What a runtime has and Watchpost cannot give: it needs sockets, files or more. */
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
  'axios-cookiejar-support',
  'csv-parse',
  'gaxios',
  'gmail-api-parse-message-ts',
  'google-auth-library',
  'googleapis',
  'imapflow',
  'jsdom',
  'mailosaur',
  'mocha',
  'mysql',
  'mysql2',
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
  'tough-cookie',
  'twilio',
  'typescript',
  'winston',
  'ws',
  'xml-crypto',
  'xml-encryption',
];

/** Built-in modules of Node that scripts get from packages: their names, and what is bundled. */
export const BUNDLED_BUILT_INS: Readonly<Record<string, string>> = {
  events: 'events/',
  path: 'path-browserify',
  stream: 'readable-stream',
  string_decoder: 'string_decoder/',
};

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
];

/** The libraries of one runtime: name to the version that we ship. */
export function librariesOf(runtimeId: string): Record<string, string> {
  const found = Object.keys(SCRIPT_LIBRARIES).flatMap((name) => {
    const version = libraryIn(runtimeId, name)?.version;
    return version === undefined ? [] : [[name, version]];
  });
  return Object.fromEntries(found);
}

/** The version of a library that a runtime has; undefined where it has none. */
export function libraryIn(runtimeId: string, name: string): LibraryVersion | undefined {
  const versions = Object.hasOwn(SCRIPT_LIBRARIES, name) ? SCRIPT_LIBRARIES[name] : undefined;
  return versions?.find(({ from, to }) => runtimeId >= from && runtimeId <= to);
}

/** The version of Node.js that a runtime has, as `process.version` writes it. */
export function nodeVersionOf(runtimeId: string): string {
  return NODE_VERSIONS[runtimeId] ?? NEWEST_NODE;
}

/** The name of an entry's bundle, without a folder: `@faker-js/faker` is `faker-js-faker.js`. */
export function bundleName(entry: string): string {
  return `${entry.replaceAll(/[^\w.]+/g, '-').replace(/^[-.]+|-$/g, '')}.js`;
}

/** The name of its code cache: the bundle as V8 compiled it. */
export function cacheName(entry: string): string {
  return `${bundleName(entry)}.cache`;
}
