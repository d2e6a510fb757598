import { isIP } from 'node:net';
import { resolve } from 'node:path';
import ipaddr from 'ipaddr.js';
import { z } from 'zod';

/**
 * What one kind of value must be. `expected` completes "expected …" in the message of a wrong
 * value, and is what the documents say of it.
 */
export interface ValueSchema<T> {
  expected: string;
  schema: z.ZodType<T>;
  /** Turns the text of a flag or variable into what `schema` takes; a file holds that already. */
  fromText: (text: string) => unknown;
}

const asIs = (text: string): unknown => text;
/** Text that is no whole number is passed on, for the schema to refuse. */
const asNumber = (text: string): unknown => (/^\d{1,15}$/.test(text) ? Number(text) : text);
const asList = (text: string): unknown =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');

const MAX_ITEMS = 1_000;
const list = (item: z.ZodType<string>) => z.array(item).max(MAX_ITEMS);

/** A path; relative ones are taken from the working folder. Gives an absolute path. */
export const folderPath: ValueSchema<string> = {
  expected: 'the path of a folder',
  schema: z
    .string()
    .min(1)
    .refine((path) => !path.includes('\0'))
    .transform((path) => resolve(path)),
  fromText: asIs,
};

/** Several of them. */
export const folderPaths: ValueSchema<string[]> = {
  expected: 'paths of folders, separated by commas',
  schema: list(folderPath.schema),
  fromText: asList,
};

/** The same as one, or null where none is set. */
export const folderPathOrNone: ValueSchema<string | null> = folderPath;

/** The path of a program, or null where none is set. Gives an absolute path. */
export const programPath: ValueSchema<string | null> = {
  ...folderPath,
  expected: 'the path of a program',
};

/** A whole number from `min` to `max`. */
export function wholeNumber(min: number, max: number): ValueSchema<number> {
  return {
    expected: `a whole number from ${min} to ${max}`,
    schema: z.int().min(min).max(max),
    fromText: asNumber,
  };
}

/** One of a closed set of words. */
export function oneOf<const W extends readonly [string, ...string[]]>(
  words: W,
): ValueSchema<W[number]> {
  return { expected: `one of ${words.join(', ')}`, schema: z.enum(words), fromText: asIs };
}

const HOST_NAME =
  /^(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*$/i;
const NUMBERS_AND_DOTS = /^[\d.]+$/;

const hostText = z
  .string()
  .refine((host) => isIP(host) !== 0 || (HOST_NAME.test(host) && !NUMBERS_AND_DOTS.test(host)))
  .transform((host) => host.toLowerCase());

/** A host name or an IP address, in lower case; IPv6 without brackets. */
export const host: ValueSchema<string> = {
  expected: 'a host name or an IP address (IPv6 without brackets)',
  schema: hostText,
  fromText: asIs,
};

/** An IP address of one version, in its shortest form. */
export function address(version: 4 | 6): ValueSchema<string | null> {
  return {
    expected: `an IPv${version} address`,
    schema: z
      .string()
      .refine((text) => isIP(text) === version)
      .transform((text) => ipaddr.parse(text).toString()),
    fromText: asIs,
  };
}

/** Host names or addresses, without ports. */
export const hosts: ValueSchema<string[]> = {
  expected: 'host names or IP addresses without ports, separated by commas',
  schema: list(hostText),
  fromText: asList,
};

const HOST_AND_PORT = /^(\[[\da-fA-F:.]+\]|[^\s:/[\]]+):(\d{1,5})$/;

/** A port of a host, as `name:443` or `[::1]:53`. */
const hostAndPort = z.string().transform((text, context) => {
  const [, name = '', digits = ''] = HOST_AND_PORT.exec(text) ?? [];
  const found = hostText.safeParse(name.replace(/^\[|\]$/g, ''));
  const port = Number(digits);
  if (found.success && port >= 1 && port <= 65_535) return { host: found.data, port };
  context.addIssue({ code: 'custom', message: 'expected host:port' });
  return z.NEVER;
});

/** Ports of hosts. */
export const hostsAndPorts: ValueSchema<{ host: string; port: number }[]> = {
  expected: 'hosts with ports such as 192.0.2.1:443 or [2001:db8::1]:53, separated by commas',
  schema: z.array(hostAndPort).max(10),
  fromText: asList,
};

/** Ranges of addresses, as `10.0.0.0/8` or `fc00::/7`. */
export const ranges: ValueSchema<string[]> = {
  expected: 'ranges of addresses such as 10.0.0.0/8 or fc00::/7, separated by commas',
  schema: list(z.string().refine((range) => ipaddr.isValidCIDR(range))),
  fromText: asList,
};

const isAddressOrRange = (text: string): boolean => isIP(text) !== 0 || ipaddr.isValidCIDR(text);

/** Addresses and ranges of addresses, as `127.0.0.1` or `10.0.0.0/8`. */
export const addressesAndRanges: ValueSchema<string[]> = {
  expected: 'IP addresses or ranges such as 127.0.0.1 or 10.0.0.0/8, separated by commas',
  // A range of every address would let anybody be anybody.
  schema: list(
    z.string().refine((text) => /^[^%]+(?<!\/0+)$/.test(text) && isAddressOrRange(text)),
  ),
  fromText: asList,
};

/** Ranges of addresses, or `true` for every one. */
export const rangesOrAll: ValueSchema<true | string[]> = {
  expected: 'true, or ranges of addresses such as 192.168.1.0/24, separated by commas',
  schema: z.union([z.literal(true), ranges.schema]),
  fromText: (text) => (text.toLowerCase() === 'true' ? true : asList(text)),
};

/** `true` or `false`. */
export const yesOrNo: ValueSchema<boolean> = {
  expected: 'true or false',
  schema: z.boolean(),
  fromText: (text) => ({ true: true, false: false })[text.toLowerCase()] ?? text,
};

/** Text on one line. */
export const lineOfText: ValueSchema<string> = {
  expected: 'text on one line',
  schema: z
    .string()
    .min(1)
    .max(1_000)
    .regex(/^\P{Cc}*$/u),
  fromText: asIs,
};

const HEADER = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+) *=([\t\x20-\x7e]{1,4000})$/;

/** Headers of HTTP requests, their names in lower case. */
export const headers: ValueSchema<Record<string, string>> = {
  expected: 'headers such as name=value, separated by commas',
  schema: z
    .array(z.string().regex(HEADER))
    .max(20)
    .transform((lines) =>
      Object.fromEntries(
        lines.map((line) => {
          const [, name = '', value = ''] = HEADER.exec(line) ?? [];
          return [name.toLowerCase(), value.trim()];
        }),
      ),
    ),
  fromText: asList,
};

/** An API key: the characters of a bearer token (RFC 6750, section 2.1). */
export const apiKey: ValueSchema<string | null> = {
  expected: '16 to 200 letters, digits or any of -._~+/=',
  schema: z.string().regex(/^[A-Za-z0-9._~+/=-]{16,200}$/),
  fromText: asIs,
};

/** A UUID, in lower case. */
export const uuid: ValueSchema<string | null> = {
  expected: 'a UUID',
  schema: z.guid().transform((id) => id.toLowerCase()),
  fromText: asIs,
};

/** An http or https URL without credentials, query or fragment; no slash at its end. */
export const baseUrl: ValueSchema<string> = {
  expected: 'an http or https URL without credentials, query or fragment',
  schema: z
    .string()
    .max(2_048)
    .refine(isBaseUrl)
    .transform((url) => new URL(url).href.replace(/\/+$/, '')),
  fromText: asIs,
};

function isBaseUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const url = new URL(text);
  const bare = url.username === '' && url.password === '' && !/[?#]/.test(text);
  return bare && (url.protocol === 'http:' || url.protocol === 'https:');
}
