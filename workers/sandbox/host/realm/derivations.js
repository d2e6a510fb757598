/** Keys derived of passwords: at once by the host, or by another thread of it. */
export function makeDerivations(realm, { toText, fromText }, { secretText }, calls) {
  const { P, ask, fail } = realm;
  const pbkdf2Text = (password, salt, iterations, length, digest) =>
    P.stringify({
      kind: 'pbkdf2',
      password: secretText(password),
      salt: toText(salt),
      iterations,
      length,
      digest: String(digest),
    });
  const scryptText = (password, salt, length, options = {}) => {
    const {
      N = options.cost,
      r = options.blockSize,
      p = options.parallelization,
      maxmem,
    } = options;
    const given = { kind: 'scrypt', password: secretText(password), salt: toText(salt), length };
    return P.stringify({ ...given, N, r, p, maxmem });
  };
  const later = (text, done) => {
    const told = calls.begin('derive-later', text);
    told.then((key) => done(null, fromText(key)), done).catch(fail);
  };
  const hkdfSync = (digest, key, salt, info, length) => {
    const parameters = P.stringify({ digest: String(digest), info: toText(info), length });
    const derived = fromText(ask('hkdf', parameters, secretText(key), toText(salt)));
    return new Uint8Array(derived).buffer;
  };
  return {
    pbkdf2: (password, salt, iterations, length, digest, done) =>
      later(pbkdf2Text(password, salt, iterations, length, digest), done),
    pbkdf2Sync: (...args) => fromText(ask('derive', pbkdf2Text(...args))),
    scrypt: (password, salt, length, ...rest) =>
      later(scryptText(password, salt, length, rest.length > 1 ? rest[0] : {}), rest.at(-1)),
    scryptSync: (...args) => fromText(ask('derive', scryptText(...args))),
    hkdf: withCallback(5, hkdfSync),
    hkdfSync,
  };
}
