import { VERSION } from '#main/platform/version.ts';
import type { EgressOutcome } from '../egress/client.ts';
import { SEND_TIMEOUT_MS, type SendPorts } from './sender.ts';

export const USER_AGENT = `Watchpost/${VERSION}`;

/** Posts JSON to a service. */
export function postJson(
  { egress }: Pick<SendPorts, 'egress'>,
  url: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<EgressOutcome> {
  return egress.send({
    method: 'POST',
    url,
    headers: { 'user-agent': USER_AGENT, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
    timeoutMs: SEND_TIMEOUT_MS,
  });
}
