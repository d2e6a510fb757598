import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { findBubblewrap } from '#main/monitoring/find-bubblewrap.ts';
import { findScriptLauncher } from '#main/monitoring/script-launcher.ts';
import { holderOf } from '#main/platform/instance-file.ts';
import type { SettingsOutcome } from '#main/platform/settings/read.ts';
import type { Settings } from '#main/platform/settings/table.ts';
import packageJson from '../../../package.json' with { type: 'json' };
import type { Output } from '../keys.ts';
import { runningOn } from '../running-keys.ts';
import { chromiumReport, judgeChromium } from './chromium.ts';
import { folderFacts, judgeDataFolder, judgeRunsFolder } from './data-folder.ts';
import { countsOf, type Finding, linesOf, sayOf } from './finding.ts';
import { clockFacts, judgeClock, judgeNode, judgeSize, sizeFacts } from './machine.ts';
import { judgePort, portFacts } from './port.ts';
import {
  judgeBubblewrap,
  judgeFfmpeg,
  judgeMail,
  judgePing,
  judgeScriptHosts,
  pingFacts,
} from './programs.ts';

/**
 * Looks at all that Watchpost needs of this machine, says what is the case, and changes nothing. No
 * value of a secret setting is read but by the reader of settings.
 *
 * @returns whether there is no problem
 */
export async function doctorCommand(
  outcome: SettingsOutcome,
  { json }: { json: boolean },
  out: Output,
): Promise<boolean> {
  const findings = await findingsOf(outcome);
  const { problem: problems, warning: warnings } = countsOf(findings);
  if (json) out.answer(JSON.stringify({ problems, warnings, findings }, null, 2));
  else out.answer(linesOf(findings).join('\n'));
  return problems === 0;
}

async function findingsOf(outcome: SettingsOutcome): Promise<Finding[]> {
  const node = judgeNode(process.version, packageJson.dependencies.node);
  const say = sayOf('settings');
  if (outcome.settings === null) {
    const advice = 'Watchpost does not start with it: mend it (docs/settings.md).';
    return [node, ...outcome.problems.map((text) => say.problem(text, advice))];
  }
  const renamed = outcome.renamed.map((text) => say.warning(text, 'Use the new name.'));
  return [node, ...renamed, ...(await findingsWith(outcome.settings))];
}

async function findingsWith(settings: Settings): Promise<Finding[]> {
  const { host, port, chromium: setting } = settings;
  const dataDir = resolve(settings.dataDir);
  const search = { setting, cacheFolder: join(dataDir, 'cache') };
  const [folder, holder, runs, listening, clock, ping, chromium] = await Promise.all([
    folderFacts(dataDir),
    holderOf(dataDir),
    folderFacts(tmpdir()),
    runningOn(dataDir).then((run) => portFacts(host, port, run?.url ?? null)),
    clockFacts(dataDir),
    pingFacts(),
    chromiumReport({ search, needsWindow: false }),
  ]);
  const { browserSandbox } = settings;
  const bubblewrap = browserSandbox === 'off' ? null : await findBubblewrap(browserSandbox);
  return [
    ...judgeDataFolder(folder, holder),
    judgePort(listening),
    judgeChromium(chromium, setting),
    judgeFfmpeg(chromium.ffmpeg),
    judgeBubblewrap(bubblewrap, browserSandbox, process.platform),
    judgeRunsFolder(runs),
    judgeScriptHosts(await findScriptLauncher(), process.platform),
    judgePing(ping),
    ...judgeSize(sizeFacts(settings)),
    judgeClock(clock),
    judgeMail(settings),
  ];
}
