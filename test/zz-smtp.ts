import { createServer } from 'node:net';
import { once } from 'node:events';
import { email } from '#main/channels/email.ts';
import { testPorts } from './fixtures/send-ports.ts';
import { FAILURE } from './fixtures/notices.ts';
async function smtp(name: string, script: (line: string | null, say: (s: string) => void, s: any) => void) {
  const open = new Set<any>();
  const srv = createServer((s) => { open.add(s); s.on('close', () => open.delete(s)); s.on('error', () => {}); const say = (l: string) => { if (!s.destroyed) s.write(l); }; script(null, say, s); let b=''; s.on('data', (d) => { b += d; let i; while ((i = b.indexOf('\r\n')) >= 0) { script(b.slice(0, i), say, s); b = b.slice(i + 2); } }); });
  srv.listen(0, '127.0.0.1'); await once(srv, 'listening');
  const ports = testPorts({ smtp: { host: '127.0.0.1', port: (srv.address() as any).port, user: name.startsWith('auth') ? 'u' : null, password: 'SECRETPW', from: 'w@x.test', secure: false } });
  const t = performance.now();
  const r = await Promise.race([email.send({ config: { address: 'ops@example.com' } } as never, FAILURE, ports).catch((e) => 'THROW ' + e + e.cause), new Promise((r) => setTimeout(() => r('NOT BY 40 s'), 40000))]);
  await new Promise(r=>setTimeout(r,50));
  console.log(name, Math.round(performance.now() - t), JSON.stringify(r), 'open', open.size);
  for (const s of open) s.destroy(); srv.close();
}
const ok = (upTo: RegExp, then: (say: any, s: any) => void) => (l: string | null, say: any, s: any) => {
  if (l === null) { if (upTo.test('GREET')) return then(say, s); return say('220 x\r\n'); }
  if (upTo.test(l)) return then(say, s);
  if (/^EHLO/.test(l)) return say('250 x\r\n');
  if (/^DATA/.test(l)) return say('354 go\r\n');
  if (/^(MAIL|RCPT|QUIT|RSET|\.$)/.test(l)) return say('250 ok\r\n');
};
const drip = (say: any, s: any) => { const i = setInterval(() => say('2'), 1000); s.on('close', () => clearInterval(i)); };
const dripLines = (say: any, s: any) => { const i = setInterval(() => say('250-x\r\n'), 1000); s.on('close', () => clearInterval(i)); };
const flood = (say: any, s: any) => { const b = '250-' + 'x'.repeat(60000) + '\r\n'; const f = () => { while (!s.destroyed && s.write(b)); }; s.on('drain', f); f(); };
const m0 = process.memoryUsage().rss;
await Promise.all([
  smtp('hang greet', ok(/^GREET/, () => {})), smtp('hang ehlo', ok(/^EHLO/, () => {})), smtp('hang mail', ok(/^MAIL/, () => {})), smtp('hang rcpt', ok(/^RCPT/, () => {})), smtp('hang data', ok(/^DATA/, () => {})), smtp('hang dot', ok(/^\.$/, () => {})),
  smtp('drip greet', ok(/^GREET/, drip)), smtp('drip lines ehlo', ok(/^EHLO/, dripLines)), smtp('drip dot', ok(/^\.$/, drip)),
  smtp('421 greet', ok(/^GREET/, (say) => say('421 busy\r\n'))), smtp('550 rcpt', ok(/^RCPT/, (say) => say('550 no\r\n'))), smtp('450 rcpt', ok(/^RCPT/, (say) => say('450 later\r\n'))), smtp('421 dot', ok(/^\.$/, (say) => say('421 x\r\n'))), smtp('552 dot', ok(/^\.$/, (say) => say('552 x\r\n'))),
  smtp('530 tls', ok(/^MAIL/, (say) => say('530 Must issue a STARTTLS command first\r\n'))), smtp('auth noTLS', ok(/^NEVER/, () => {})), smtp('reset ehlo', ok(/^EHLO/, (_s, s) => s.resetAndDestroy())), smtp('close dot', ok(/^\.$/, (_s, s) => s.end())),
  smtp('good', ok(/^NEVER/, () => {})), smtp('no quit', ok(/^QUIT/, () => {})),
]);
console.log('rss', (process.memoryUsage().rss - m0) >> 20);
await smtp('flood', ok(/^EHLO/, flood));
console.log('rss', (process.memoryUsage().rss - m0) >> 20);
process.exit(0);
