/** node:path as POSIX systems have it. There are no files; paths of URLs and archives are texts too. */
export function makePath() {
  const sep = '/';
  const isAbsolute = (path) => path.startsWith(sep);

  const walked = (path, mayClimb) => {
    const parts = [];
    for (const part of path.split(sep)) {
      if (part === '' || part === '.') continue;
      if (part !== '..') parts.push(part);
      else if (parts.length > 0 && parts.at(-1) !== '..') parts.pop();
      else if (mayClimb) parts.push(part);
    }
    return parts.join(sep);
  };
  const normalize = (path) => {
    const root = isAbsolute(path) ? sep : '';
    const body = walked(path, root === '');
    const tail = body !== '' && path.endsWith(sep) ? sep : '';
    if (root + body === '') return path.endsWith(sep) ? './' : '.';
    return root + body + tail;
  };
  const join = (...paths) => normalize(paths.filter((path) => path !== '').join(sep));
  const resolve = (...paths) => {
    const from = paths.findLastIndex(isAbsolute);
    return `/${walked(paths.slice(Math.max(0, from)).join(sep), false)}`;
  };

  const trimmed = (path) => path.replace(/(?<=[^/])\/+$/, '');
  const dirname = (path) => {
    const bare = trimmed(path);
    const at = bare.lastIndexOf(sep);
    if (at < 0) return '.';
    return trimmed(bare.slice(0, at)) || sep;
  };
  const basename = (path, suffix = '') => {
    const bare = trimmed(path);
    const base = bare === sep ? '' : bare.slice(bare.lastIndexOf(sep) + 1);
    return suffix !== '' && base !== suffix && base.endsWith(suffix)
      ? base.slice(0, -suffix.length)
      : base;
  };
  const extname = (path) => {
    const base = basename(path);
    const at = base.lastIndexOf('.');
    return at > 0 && base !== '..' ? base.slice(at) : '';
  };
  const relative = (from, to) => {
    const [a, b] = [resolve(from), resolve(to)].map((path) => path.split(sep).filter(Boolean));
    const differs = a.findIndex((part, index) => part !== b[index]);
    const common = differs < 0 ? a.length : differs;
    return [...a.slice(common).map(() => '..'), ...b.slice(common)].join(sep);
  };
  const parse = (path) => {
    const base = basename(path);
    const ext = extname(path);
    const root = isAbsolute(path) ? sep : '';
    const dir = base === '' ? root : dirname(path);
    const isBare = root === '' && !trimmed(path).includes(sep);
    const name = ext === '' ? base : base.slice(0, -ext.length);
    return { root, dir: isBare ? '' : dir, base, ext, name };
  };
  const format = ({ root = '', dir = root, name = '', ext = '', base = name + ext }) =>
    dir === '' || dir === root ? dir + base : dir + sep + base;

  const path = {
    sep,
    delimiter: ':',
    isAbsolute,
    normalize,
    join,
    resolve,
    dirname,
    basename,
    extname,
    relative,
    parse,
    format,
  };
  return Object.assign(path, { posix: path });
}
