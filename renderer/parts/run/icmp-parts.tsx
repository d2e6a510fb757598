import { text } from '#renderer/messages/messages.ts';
import { resultText } from '#renderer/messages/result.ts';
import pair from '#renderer/parts/pair.module.css';
import { Panel } from '#renderer/parts/panel.tsx';
import { StateIcon } from '#renderer/parts/state-icon.tsx';
import type { IcmpDetail } from '#shared/results/details.ts';
import { Facts } from './facts.tsx';
import styles from './run.module.css';

const words = resultText;

/** Round trips near by take microseconds. */
const precise = (ms: number) => text.parts.units.ms(ms.toFixed(ms < 1 ? 3 : 1));

/** The pings of a check one by one, and their sum. */
export function IcmpParts({ detail: { request, response } }: { detail: IcmpDetail }) {
  const { latency, pingResults = [], packetsSent, packetsReceived, packetLoss } = response ?? {};
  return (
    <div className={pair.pair}>
      <Panel title={words.pings}>
        <Facts
          facts={[
            [words.host, request && <code>{request.hostname}</code>],
            [words.address, response?.resolvedIp && <code>{response.resolvedIp}</code>],
            [
              words.packets,
              packetsSent !== undefined && words.received(packetsReceived ?? 0, packetsSent),
            ],
            [words.loss, packetLoss === undefined ? undefined : `${packetLoss} %`],
            [words.shortest, latency && precise(latency.min)],
            [words.mean, latency && precise(latency.avg)],
            [words.longest, latency && precise(latency.max)],
            [words.spread, latency && precise(latency.stdDev)],
          ]}
        />
      </Panel>
      {pingResults.length > 0 && (
        <Panel title={words.eachPing}>
          <ol className={styles.pings}>
            {pingResults.map(({ sequence, success, rtt, ttl }) => (
              <li key={sequence} className={styles.state}>
                <StateIcon state={success ? 'passing' : 'failing'} />
                {words.ping(sequence)}
                <span className={styles.end}>
                  {success && rtt !== undefined ? precise(rtt) : words.lost}
                  {ttl !== undefined && ` · TTL ${ttl}`}
                </span>
              </li>
            ))}
          </ol>
        </Panel>
      )}
    </div>
  );
}
