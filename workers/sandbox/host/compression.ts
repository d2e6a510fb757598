import * as zlib from 'node:zlib';
import { Parameters } from './parameters.ts';
import { asNodeDoes, Refusal } from './refusal.ts';

const METHODS = {
  gzip: zlib.gzipSync,
  gunzip: zlib.gunzipSync,
  unzip: zlib.unzipSync,
  deflate: zlib.deflateSync,
  inflate: zlib.inflateSync,
  deflateRaw: zlib.deflateRawSync,
  inflateRaw: zlib.inflateRawSync,
  brotliCompress: zlib.brotliCompressSync,
  brotliDecompress: zlib.brotliDecompressSync,
} as const;

/** Bytes that go in, and that come out of what is decompressed: a few packed bytes may be gigabytes. */
const MAX_IN_BYTES = 1024 * 1024;
const MAX_OUT_BYTES = 5 * 1024 * 1024;
/** Measured: brotli packs 256 KB as well as it can in 0.2 s, zlib 1 MB in 0.02 s. */
const MAX_BROTLI_BYTES = 256 * 1024;

const ZLIB_OPTIONS = ['level', 'memLevel', 'strategy', 'windowBits', 'finishFlush'];
const { BROTLI_PARAM_MODE, BROTLI_PARAM_QUALITY, BROTLI_PARAM_LGWIN, BROTLI_PARAM_SIZE_HINT } =
  zlib.constants;
/** Without those that take more memory than the rest together. */
const BROTLI_PARAMETERS = [
  BROTLI_PARAM_MODE,
  BROTLI_PARAM_QUALITY,
  BROTLI_PARAM_LGWIN,
  BROTLI_PARAM_SIZE_HINT,
].map(String);

/** Compresses or decompresses bytes. */
export function compress(text: string, data: string): string {
  const parameters = Parameters.parse(text);
  const method = parameters.text('method');
  if (!isMethod(method)) throw new Error(`There is no compression ${method}`);
  const most = method === 'brotliCompress' ? MAX_BROTLI_BYTES : MAX_IN_BYTES;
  if (data.length > most) {
    throw new Refusal(`zlib.${method} takes at most ${most / 1024} KB in scripts`);
  }
  const bytes = Buffer.from(data, 'latin1');
  const options = optionsOf(parameters.within('options'));
  return asNodeDoes(() => METHODS[method](bytes, options).toString('latin1'));
}

/** CRC-32 of bytes, going on from that of others before them. */
export function crc32(data: string, before: string): string {
  if (data.length > MAX_OUT_BYTES) throw new Refusal('zlib.crc32 takes at most 5 MB in scripts');
  return asNodeDoes(() => String(zlib.crc32(Buffer.from(data, 'latin1'), Number(before))));
}

function optionsOf(parameters: Parameters): zlib.ZlibOptions & zlib.BrotliOptions {
  const dictionary = parameters.bytes('dictionary');
  const most = parameters.number('maxOutputLength') ?? MAX_OUT_BYTES;
  return {
    ...parameters.numbers(ZLIB_OPTIONS),
    ...(dictionary !== undefined && { dictionary }),
    params: parameters.within('params').numbers(BROTLI_PARAMETERS),
    maxOutputLength: Math.min(most, MAX_OUT_BYTES),
  };
}

function isMethod(name: string): name is keyof typeof METHODS {
  return Object.hasOwn(METHODS, name);
}
