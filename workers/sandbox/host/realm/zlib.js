const COMPRESSIONS = [
  'gzip',
  'gunzip',
  'unzip',
  'deflate',
  'inflate',
  'deflateRaw',
  'inflateRaw',
  'brotliCompress',
  'brotliDecompress',
];

/** node:zlib: each method at once, with a callback, and as a stream that works when it has all. */
export function makeZlib({ P, ask }, Buffer, stream) {
  const { toBuffer, toText, fromText } = makeByteTools(Buffer);
  const parametersOf = (method, { dictionary, ...options }) =>
    P.stringify({
      method,
      options: { ...options, ...(dictionary && { dictionary: toText(dictionary) }) },
    });
  const sync =
    (method) =>
    (data, options = {}) =>
      fromText(ask('compress', parametersOf(method, options), toText(data)));
  const withOptions = (compress) => (data, options, done) =>
    typeof options === 'function'
      ? callLater(() => compress(data), options)
      : callLater(() => compress(data, options), done);
  const streamOf = (compress) => (options) => {
    const { Transform } = stream();
    const parts = [];
    return new Transform({
      transform(chunk, encoding, done) {
        parts.push(toBuffer(chunk, encoding));
        done();
      },
      flush(done) {
        callLater(() => compress(Buffer.concat(parts), options), done);
      },
    });
  };

  const members = {
    crc32: (data, before = 0) => Number(ask('crc32', toText(data), String(before))),
    get constants() {
      return P.parse(ask('constants', 'zlib'));
    },
  };
  for (const method of COMPRESSIONS) {
    const compress = sync(method);
    members[`${method}Sync`] = compress;
    members[method] = withOptions(compress);
    members[`create${method[0].toUpperCase()}${method.slice(1)}`] = streamOf(compress);
  }
  return members;
}
