/** The package form-data without streams: fields and files of texts and bytes, made one text. */
export function makeFormData(crypto, Buffer) {
  const escaped = (text) =>
    String(text).replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
  const headOf = (name, isBytes, { filename, filepath, contentType, header }) => {
    const file = filepath ?? filename;
    const type = contentType ?? (isBytes || file !== undefined ? 'application/octet-stream' : null);
    const named = file === undefined ? '' : `; filename="${escaped(file)}"`;
    const fields = {
      'Content-Disposition': `form-data; name="${escaped(name)}"${named}`,
      ...(type && { 'Content-Type': type }),
      ...header,
    };
    return Object.entries(fields).map(([field, text]) => `${field}: ${text}\r\n`);
  };

  return class FormData {
    #parts = [];
    #boundary = `--------------------------${crypto.randomBytes(12).toString('hex')}`;

    /** Like the package: a text or options with `filename`, `filepath`, `contentType`, `header`. */
    append(name, value, options) {
      if (typeof value === 'function' || typeof value?.pipe === 'function') {
        throw new TypeError('form-data of scripts takes texts and bytes, not streams');
      }
      if (Array.isArray(value)) throw new TypeError('Arrays are not supported.');
      const bytes = bytesOf(value);
      const known = typeof options === 'string' ? { filename: options } : (options ?? {});
      this.#parts.push(
        Buffer.from(`--${this.#boundary}\r\n${headOf(name, bytes !== null, known).join('')}\r\n`),
        Buffer.from(bytes ?? String(value)),
        Buffer.from('\r\n'),
      );
    }
    getBoundary() {
      return this.#boundary;
    }
    setBoundary(boundary) {
      if (typeof boundary !== 'string') throw new TypeError('FormData boundary must be a string');
      if (this.#parts.length > 0) throw new Error('The boundary is set before the first field');
      this.#boundary = boundary;
    }
    getHeaders(more = {}) {
      const type = { 'content-type': `multipart/form-data; boundary=${this.#boundary}` };
      return { ...type, ...plainHeaders(more) };
    }
    getBuffer() {
      return Buffer.concat([...this.#parts, Buffer.from(`--${this.#boundary}--\r\n`)]);
    }
    getLengthSync() {
      return this.getBuffer().length;
    }
    getLength(done) {
      queueMicrotask(() => done(null, this.getLengthSync()));
    }
    hasKnownLength() {
      return true;
    }
    [CONTENT]() {
      return this.getBuffer();
    }
    /** What `fetch` and `axios` send; bytes that are no UTF-8 do not survive it. */
    toString() {
      return this.getBuffer().toString();
    }
  };
}
