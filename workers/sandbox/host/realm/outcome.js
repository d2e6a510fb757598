/** Reads what a script left behind into texts and numbers, whatever it did to its objects. */
export function makeReader(P, maxChars) {
  const TOO_LARGE = {};
  let chars = 0;

  /**
   * Bytes are text in UTF-8, objects and lists are JSON; what has a text of its own (URL,
   * URLSearchParams, FormData, Date) is that.
   */
  const textOfObject = (object) => {
    const bytes = bytesOf(object);
    if (bytes !== null) return decodeUtf8(bytes);
    const isPlain = typeof object.toString !== 'function' || object.toString === P.objectToString;
    return isPlain || P.isArray(object) ? P.stringify(object) : undefined;
  };

  const text = (value) => {
    if (value === undefined || value === null) return '';
    const result = typeof value === 'object' ? textOfObject(value) : undefined;
    const read = typeof result === 'string' ? result : P.String(value);
    chars += read.length;
    if (chars > maxChars) throw TOO_LARGE;
    return read;
  };

  /** Own members as texts; what is undefined or null counts as left out. */
  const texts = (object) => {
    const read = P.create(null);
    if (typeof object !== 'object' || object === null) return read;
    const keys = P.ownKeys(object);
    for (let index = 0; index < keys.length; index++) {
      const key = keys[index];
      if (typeof key !== 'string' || !P.getOwn(object, key)?.enumerable) continue;
      const value = object[key];
      if (value === undefined || value === null) continue;
      chars += key.length;
      P.defineProperty(read, key, { value: text(value), enumerable: true });
    }
    return read;
  };

  const request = (object) => {
    const read = P.create(null);
    read.method = text(object.method);
    read.url = text(object.url);
    read.body = text(object.body);
    read.headers = texts(object.headers);
    read.queryParameters = texts(object.queryParameters);
    return read;
  };

  const response = (object) => {
    const read = P.create(null);
    read.statusCode = P.Number(object.statusCode);
    read.statusText = text(object.statusText);
    read.body = text(object.body);
    read.headers = texts(object.headers);
    return read;
  };

  return { TOO_LARGE, texts, request, response, restart: () => (chars = 0) };
}

/** Libraries have errors that are none to the engine (those of chai). */
export function isLikeError(error) {
  return typeof error?.message === 'string' && typeof error.stack === 'string';
}

/** An error as texts: what it says and its stack, or what was thrown in its place. */
export function describeError(P, error, kind) {
  const told = P.create(null);
  told.kind = kind;
  told.stack = '';
  try {
    if (P.isError(error) || isLikeError(error)) {
      const name = P.String(error.name);
      const message = P.String(error.message);
      told.message = name === 'Error' ? message || 'Error' : `${name}: ${message}`;
      if (typeof error.stack === 'string') told.stack = P.slice(error.stack, 0, 10_000);
    } else {
      const shown = typeof error === 'object' && error !== null ? P.stringify(error) : error;
      told.message = `The script threw ${P.String(shown)}`;
    }
  } catch {
    // A script may throw what cannot be read: that is all there is to say about it.
    told.message = 'The script threw something that cannot be shown';
  }
  told.message = P.slice(told.message, 0, 2_000);
  return told;
}
