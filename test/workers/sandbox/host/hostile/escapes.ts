import { FILE, type Hostile, reaches } from './hostile.ts';

const READ = `readFileSync('${FILE.path}', 'utf8')`;

/** Ways to reach the host's objects, its files, its sockets and its life. */
export const ESCAPES: readonly Hostile[] = [
  reaches('the constructor of a constructor', `this.constructor.constructor('return process')()`),
  reaches(
    'the constructor of require',
    `require.constructor('return process.mainModule')().require('fs').${READ}`,
  ),
  reaches('the constructor of console.log', `console.log.constructor('return process')()`),
  reaches('the constructor of fetch', `fetch.constructor('return process')()`),
  reaches(
    'the constructor of the request',
    `request.constructor.constructor('return JSON.stringify(process.env)')()`,
  ),
  reaches(
    'the constructor of process.env',
    `process.env.constructor.constructor('return this.process.mainModule')()`,
  ),
  reaches(
    'the prototype chain of a timer',
    `Object.getPrototypeOf(Object(setTimeout(() => {}, 1))).constructor.constructor('return process')()`,
  ),
  reaches(
    'an async function constructor',
    `await (async () => {}).constructor('return globalThis.process.env.MARKER')()`,
  ),
  reaches(
    'a generator constructor',
    `(function* () {}).constructor('yield process.env.MARKER')().next().value`,
  ),
  reaches('process.mainModule', `process.mainModule.require('fs').${READ}`),
  reaches('process.binding', `process.binding('fs')`),
  reaches('process.getBuiltinModule', `process.getBuiltinModule('fs').${READ}`),
  reaches('process.dlopen', `process.dlopen({ exports: {} }, '/lib/x.node')`),
  reaches('process.kill', `process.kill(process.pid, 'SIGKILL')`),
  reaches('process.exit', `process.exit(1)`),
  reaches('process.reallyExit', `process.reallyExit(1)`),
  reaches('process.abort', `process.abort()`),
  reaches('a message in the name of the host', `process.stdout.write('no message\\n'), process`),
  reaches('require of fs', `require('fs').${READ}`),
  reaches('require of a file outside', `require('fs').readFileSync('/etc/passwd', 'utf8')`),
  reaches(
    'require of node:fs/promises',
    `await require('node:fs/promises').readFile('${FILE.path}', 'utf8')`,
  ),
  reaches('require of child_process', `require('child_process').execSync('env').toString()`),
  reaches(
    'require of worker_threads',
    `await new Promise((ok) => new (require('worker_threads').Worker)("require('worker_threads').parentPort.postMessage(process.env.MARKER)", { eval: true }).on('message', ok))`,
  ),
  reaches('require of vm', `require('vm').runInThisContext('process')`),
  reaches(
    'require of net',
    `await new Promise((ok, no) => require('net').connect(Number(process.env.PORT), '127.0.0.1').on('data', (data) => ok(String(data))).on('error', no))`,
  ),
  reaches('require of isolated-vm', `require('isolated-vm')`),
  reaches('require of an absolute path', `require(require('path').resolve('${FILE.path}'))`),
  reaches('require out of the snippets', `require('./snippets/../../../../package.json')`),
  reaches('require of a prototype member as a snippet', `require('./snippets/constructor')`),
  reaches('require of __proto__', `require('__proto__')`),
  reaches('a name that changes while it is read', `require({ toString: () => 'fs' })`),
  reaches(
    'require.main and require.cache',
    `[require.main, require.cache, module.parent, module.constructor._load]`,
  ),
  reaches('import() of fs', `await import('fs')`),
  reaches(
    'import() of a data URL',
    `(await import('data:text/javascript,export default process')).default`,
  ),
  reaches(
    'import() inside a function from text',
    `await new Function("return import('node:fs')")()`,
  ),
  reaches('import.meta in text', `eval('import.meta.url')`),
  reaches(
    'Function.caller',
    `(() => { const got = []; const options = Object.defineProperty({}, 'method', { get: function g() { got.push(g.caller); return 'GET' } }); fetch('http://x', options).catch(() => 0); return got })()`,
  ),
  reaches(
    'arguments.callee.caller',
    `(() => { const got = []; const options = Object.defineProperty({}, 'method', { get: function () { got.push(arguments.callee.caller); return 'GET' } }); fetch('http://x', options).catch(() => 0); return got })()`,
  ),
  reaches(
    'call sites of an error',
    `(() => { Error.prepareStackTrace = (e, s) => s.map((c) => [c.getThis(), c.getFunction()]); const got = new Error().stack; delete Error.prepareStackTrace; return got.flat() })()`,
  ),
  reaches('the error of a refused require', `require('no-such-library')`),
  reaches('the error of a host service', `new URL('::')`),
  reaches(
    'the members of the error of a host service',
    `(() => { try { new URL('::') } catch (e) { return Object.getOwnPropertyNames(e).map((name) => e[name]).concat(e) } })()`,
  ),
  reaches('the error of a refused fetch', `await fetch('http://x')`),
  reaches(
    'the error of a host call with what has no text',
    `(() => { Buffer.concat = () => ({ toString: () => ({ toString: null, valueOf: null }) }); return require('crypto').createHash('md5').digest() })()`,
  ),
  reaches(
    'the error of a host call with what is too deep for a text',
    `(() => { let a = 'x'; for (let n = 0; n < 5e3; n++) a = [a]; Buffer.concat = () => ({ toString: () => a }); return require('crypto').createHash('md5').digest() })()`,
  ),
  reaches('the promise of fetch', `fetch('http://x')`),
  reaches(
    'a proxy as headers',
    `await (async () => { const got = []; const headers = new Proxy({}, { get: (t, k, r) => (got.push(t, r), 'a'), ownKeys: () => ['a'], getOwnPropertyDescriptor: (t) => (got.push(t), { enumerable: true, configurable: true }) }); await fetch('http://x', { headers }).catch((e) => got.push(e)); return got })()`,
  ),
  reaches(
    'an algorithm of hashes that is an object',
    `require('crypto').createHash({ toString: () => '__proto__' }).digest()`,
  ),
  reaches('a file through fetch', `await (await fetch('file:///etc/passwd')).text()`),
  reaches('the environment by another name', `process.env.MARKER + process.env.HOME`),
  reaches(
    'globals of the host',
    `[globalThis.Deno, globalThis.__dirname, globalThis.gc, globalThis.Buffer, globalThis.ivm, globalThis.call, globalThis.performance, globalThis.navigator]`,
  ),
  reaches(
    'a Map that shows what our code puts into it',
    `(() => { const got = []; Map.prototype.set = function (k, v) { got.push(v) }; Map.prototype.get = function () {}; try { require('crypto'); setTimeout(() => 0, 1e6); fetch('http://x').catch(() => 0) } catch {} return got })()`,
  ),
  reaches(
    'a property definer that shows what our code defines',
    `(() => { const got = []; Object.defineProperty = Reflect.defineProperty = (o, k, d) => got.push(d.get, d.value); try { require('url'); require('lodash') } catch {} return got })()`,
  ),
  reaches(
    'a function call that is listened to',
    `(() => { const got = []; Function.prototype.call = Function.prototype.apply = function (...a) { got.push(this, ...a); return 0 }; try { console.log(1); crypto.randomUUID(); new URL('http://a') } catch {} return got })()`,
  ),
  reaches(
    'the callers of a getter that our code reads',
    `(() => { let said = ''; Object.defineProperty(request, 'method', { get: function g() { try { for (let f = g.caller; f; f = f.caller) said += f.constructor('return process.env.MARKER')() } catch {} return said || 'GET' } }); return said })()`,
  ),
  reaches(
    'the functions of our frames',
    `(() => { const got = []; Error.prepareStackTrace = (e, s) => (got.push(...s.map((c) => c.getFunction())), ''); try { new URL('::') } catch (e) { e.stack } delete Error.prepareStackTrace; return got })()`,
  ),
];
