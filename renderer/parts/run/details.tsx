import { resultText } from '#renderer/messages/result.ts';
import { Assertions } from '#renderer/parts/assertions.tsx';
import { EmptyState } from '#renderer/parts/empty-state.tsx';
import { Panel } from '#renderer/parts/panel.tsx';
import { assertionsOf, type ResultDetails } from '#shared/results/details.ts';
import type { Asset } from './artifacts.tsx';
import { DnsParts } from './dns-parts.tsx';
import { HttpParts, type RequestScripts } from './http-parts.tsx';
import { IcmpParts } from './icmp-parts.tsx';
import { JobLogPanel } from './job-log.tsx';
import { ScriptedParts } from './scripted-parts.tsx';
import { TcpParts } from './tcp-parts.tsx';

const words = resultText;

/** All that a run found, by the type of its check. */
export function Details({
  result,
  check,
  assets = [],
}: {
  result: ResultDetails;
  /** For its scripts, where one of them failed. */
  check?: RequestScripts | undefined;
  /** What the run left. */
  assets?: readonly Asset[] | undefined;
}) {
  const { apiCheckResult, tcpCheckResult, dnsCheckResult, icmpCheckResult } = result;
  const scripted =
    result.browserCheckResult ?? result.multiStepCheckResult ?? result.playwrightCheckResult;
  const network = apiCheckResult ?? tcpCheckResult ?? dnsCheckResult ?? icmpCheckResult;
  if (!network && !scripted) {
    return <EmptyState title={words.noDetailTitle} text={words.noDetailText} />;
  }
  const assertions = assertionsOf(result);
  return (
    <>
      {assertions.length > 0 && (
        <Panel title={words.assertions}>
          <Assertions outcomes={assertions} />
        </Panel>
      )}
      {apiCheckResult && <HttpParts detail={apiCheckResult} check={check} />}
      {tcpCheckResult && <TcpParts detail={tcpCheckResult} />}
      {dnsCheckResult && <DnsParts detail={dnsCheckResult} />}
      {icmpCheckResult && <IcmpParts detail={icmpCheckResult} />}
      {scripted && <ScriptedParts result={result} assets={assets} />}
      {network?.jobLog && <JobLogPanel log={network.jobLog} />}
    </>
  );
}
