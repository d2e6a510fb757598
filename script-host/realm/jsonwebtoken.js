/** The interface of jsonwebtoken, for the keyed hashes HS256, HS384 and HS512. */
export function makeJsonWebToken({ createHmac, timingSafeEqual }, Buffer) {
  class JsonWebTokenError extends Error {
    name = 'JsonWebTokenError';
  }
  class TokenExpiredError extends JsonWebTokenError {
    name = 'TokenExpiredError';
    constructor(message, expiredAt) {
      super(message);
      this.expiredAt = expiredAt;
    }
  }
  class NotBeforeError extends JsonWebTokenError {
    name = 'NotBeforeError';
    constructor(message, date) {
      super(message);
      this.date = date;
    }
  }
  const HASHES = new Map([
    ['HS256', 'sha256'],
    ['HS384', 'sha384'],
    ['HS512', 'sha512'],
  ]);
  const UNIT_SECONDS = { s: 1, m: 60, h: 3_600, d: 86_400, w: 604_800, y: 31_557_600 };
  const CLAIMS = { audience: 'aud', issuer: 'iss', subject: 'sub', jwtid: 'jti' };

  const secondsNow = () => Math.floor(Date.now() / 1_000);
  const encode = (text) => Buffer.from(text).toString('base64url');
  const signatureOf = (algorithm, signed, secret) => {
    const hash = HASHES.get(algorithm);
    if (hash === undefined) {
      throw new JsonWebTokenError(
        `algorithm "${algorithm}" is not available: use HS256, HS384 or HS512`,
      );
    }
    if (!secret || secret.length === 0) throw new JsonWebTokenError('secret must be provided');
    return createHmac(hash, secret).update(signed).digest();
  };
  /** Seconds of a span: a number of them, or a text such as `15m` or `2 days`; plain digits are ms. */
  const spanSeconds = (span, option) => {
    if (typeof span === 'number') return span;
    const [, amount, unit] = /^\s*(-?[\d.]+)\s*(ms|[smhdwy])?[a-z]*\s*$/i.exec(span) ?? [];
    if (amount === undefined)
      throw new JsonWebTokenError(`"${option}" should be a number of seconds or a span`);
    return Number(amount) * (UNIT_SECONDS[unit?.toLowerCase()] ?? 0.001);
  };

  const claimsOf = (payload, options) => {
    const claims = { ...payload };
    const from = claims.iat ?? secondsNow();
    if (!options.noTimestamp) claims.iat = from;
    if (options.expiresIn !== undefined) {
      claims.exp = Math.floor(from + spanSeconds(options.expiresIn, 'expiresIn'));
    }
    if (options.notBefore !== undefined) {
      claims.nbf = Math.floor(from + spanSeconds(options.notBefore, 'notBefore'));
    }
    for (const [option, claim] of Object.entries(CLAIMS)) {
      if (options[option] !== undefined) claims[claim] = options[option];
    }
    return claims;
  };

  const sign = (payload, secret, options = {}) => {
    const alg = options.algorithm ?? 'HS256';
    const header = { alg, typ: 'JWT', ...options.header };
    if (options.keyid !== undefined) header.kid = options.keyid;
    const text = typeof payload === 'string' ? payload : JSON.stringify(claimsOf(payload, options));
    const signed = `${encode(JSON.stringify(header))}.${encode(text)}`;
    return `${signed}.${signatureOf(alg, signed, secret).toString('base64url')}`;
  };

  const parsed = (text) => {
    try {
      return JSON.parse(text);
    } catch {
      return undefined;
    }
  };
  const decode = (token, { complete = false } = {}) => {
    const [head = '', body = '', signature, ...rest] = String(token).split('.');
    if (signature === undefined || rest.length > 0) return null;
    const header = parsed(Buffer.from(head, 'base64url').toString());
    if (typeof header !== 'object' || header === null) return null;
    const text = Buffer.from(body, 'base64url').toString();
    const payload = parsed(text) ?? text;
    return complete ? { header, payload, signature } : payload;
  };

  const verify = (token, secret, options = {}) => {
    const found = decode(token, { complete: true });
    if (found === null) throw new JsonWebTokenError('jwt malformed');
    const { header, payload, signature } = found;
    const allowed = options.algorithms ?? [...HASHES.keys()];
    if (!allowed.includes(header.alg)) throw new JsonWebTokenError('invalid algorithm');
    const signed = String(token).slice(0, String(token).lastIndexOf('.'));
    const expected = signatureOf(header.alg, signed, secret);
    const given = Buffer.from(signature, 'base64url');
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
      throw new JsonWebTokenError('invalid signature');
    }
    checkTimes(payload, options);
    checkClaims(payload, options);
    return options.complete ? found : payload;
  };

  const checkTimes = ({ exp, nbf }, options) => {
    const now = options.clockTimestamp ?? secondsNow();
    const tolerance = options.clockTolerance ?? 0;
    if (nbf !== undefined && !options.ignoreNotBefore && nbf > now + tolerance) {
      throw new NotBeforeError('jwt not active', new Date(nbf * 1_000));
    }
    if (exp !== undefined && !options.ignoreExpiration && now >= exp + tolerance) {
      throw new TokenExpiredError('jwt expired', new Date(exp * 1_000));
    }
  };
  const checkClaims = (payload, options) => {
    for (const [option, claim] of Object.entries(CLAIMS)) {
      if (options[option] === undefined) continue;
      const wanted = [options[option]].flat();
      const isGiven = [payload[claim]]
        .flat()
        .some((one) =>
          wanted.some((want) => (want instanceof RegExp ? want.test(one) : want === one)),
        );
      if (!isGiven)
        throw new JsonWebTokenError(`jwt ${option} invalid. expected: ${wanted.join(' or ')}`);
    }
  };

  return { sign, verify, decode, JsonWebTokenError, TokenExpiredError, NotBeforeError };
}
