import { hkdfSync, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { Registry } from 'prom-client';
import type { Clock } from '#shared/clock.ts';
import type { Mail } from '#shared/notifications/mail.ts';
import type { BrowserRunnerData } from '#shared/runs/protocol.ts';
import { AlertEngine } from './alerting/alert-engine.ts';
import { watchUnheardChecks } from './alerting/unheard-checks.ts';
import { listen, urlAt } from './api/listen.ts';
import { addEngineMetrics } from './api/metrics/engine-metrics.ts';
import { OtlpExport, type OtlpExportParts } from './api/metrics/otlp-export.ts';
import { VitalsRecorder } from './api/metrics/vitals-recorder.ts';
import { linkPath } from './api/routes/sign-ins.ts';
import { createApi } from './api/server.ts';
import { IncidentActors } from './incidents/incident-actors.ts';
import { Mailer } from './incidents/mailer.ts';
import { MaintenanceMailings } from './incidents/maintenance-mailings.ts';
import { browserRunnerData } from './monitoring/browser-runner-data.ts';
import { Dispatcher } from './monitoring/dispatcher.ts';
import { embeddedPools } from './monitoring/embedded-pool.ts';
import type { Sandboxes } from './monitoring/find-sandboxes.ts';
import { MaintenanceWatch } from './monitoring/maintenance-watch.ts';
import { Supervisor } from './monitoring/supervisor.ts';
import { sendPorts as portsOf } from './notifications/channels/ports.ts';
import type { SendPorts } from './notifications/channels/sender.ts';
import { sendNotice } from './notifications/channels/senders.ts';
import { EgressClient } from './notifications/egress/client.ts';
import { systemResolver } from './notifications/egress/resolver.ts';
import { Outbox, type OutboxParts } from './notifications/outbox.ts';
import { sendMail } from './notifications/smtp.ts';
import { stormLimits } from './notifications/storm-limits.ts';
import { fillInWith } from './notifications/template/fill-in.ts';
import type { OpenStores } from './open-stores.ts';
import { coalescingClock } from './platform/coalescing-clock.ts';
import { writeInstanceFile } from './platform/instance-file.ts';
import type { Log } from './platform/log.ts';
import { createMutex } from './platform/mutex.ts';
import { openAddress } from './platform/open-browser.ts';
import { shownSettings } from './platform/settings/shown.ts';
import type { Settings } from './platform/settings/table.ts';
import { systemClock } from './platform/system-clock.ts';
import { VERSION } from './platform/version.ts';
import { openConnectivityMonitor } from './self-monitoring/open-connectivity-monitor.ts';
import { ensureAccount } from './services/accounts.ts';
import { createServices } from './services/services.ts';
import { type SessionParts, Sessions } from './sessions/sessions.ts';
import { type TestSessionParts, TestSessions } from './sessions/test-sessions.ts';
import { SloCounter } from './slos/slo-counter.ts';
import { SloWatch } from './slos/slo-watch.ts';
import { PublishedPages } from './status-pages/published-pages.ts';
import { StaticExport, type StaticExportParts } from './status-pages/static-export.ts';
import { SubscriberMails } from './status-pages/subscriber-mails.ts';
import { ArtifactFiles } from './store/artifacts/artifact-files.ts';
import { CODE_BUNDLES_FOLDER, CodeBundleStore } from './store/code-bundles/code-bundle-store.ts';
import type { Configuration } from './store/configuration/configuration.ts';
import { readSecretKey } from './store/configuration/secret-key.ts';
import type { History } from './store/history/history.ts';

/** Of runs that are due within 20 ms eight begin together; where there are more, those of 4 ms do. */
const SLOT_STEPS = { stepMs: 20, most: 8, shortStepMs: 4 };

export interface Appliance {
  /** Where the API answers, without a slash at its end. */
  url: string;
  /** The key made at the very first start, to be shown once; null at every other. */
  newKey: string | null;
  accountId: string;
  /** The address of a link that signs one browser in, within some minutes. */
  signInLink(): string;
  /** Answers what is under way, keeps what happened and lets go of the data folder. */
  stop(): Promise<void>;
}

/**
 * Starts everything, in the order in which each part needs the ones before it, and undoes it in the
 * other order: when it stops, and when a later step fails.
 *
 * @param stores closed at the stop, or where the start fails
 * @param sandboxes what scripts and browsers are started in
 * @throws StartupError where the port cannot be used; nothing is changed
 */
export async function startAppliance(
  settings: Settings,
  log: Log,
  stores: OpenStores,
  sandboxes: Sandboxes,
): Promise<Appliance> {
  await using parts = new AsyncDisposableStack();
  const clock = systemClock;

  const { folder, configuration, history } = parts.use(stores);
  const artifactFiles = new ArtifactFiles(folder, { history, clock, log });
  artifactFiles.start();
  parts.defer(() => artifactFiles.close());
  const account = await ensureAccount(configuration, settings.accountId, clock);

  const needs = { configuration, history, clock, log };
  const isNetworkDown = () => connectivity.isNetworkDown();
  const { outbox, sendPorts } = createOutbox(settings, { ...needs, isNetworkDown }, parts);

  // After the stores: its threads would take the cores that the stores start on.
  const ownPorts = sharedPort(settings.port);
  const browser = browserRunnerData(settings, {
    folder: folder,
    bwrap: sandboxes.bubblewrap,
    ownPorts,
  });
  const dispatcher = parts.adopt(openDispatcher(browser, sandboxes, { clock, log }), (open) =>
    open.close(),
  );
  const { denyRanges: deniedRanges, publicIpV4: v4, publicIpV6: v6 } = settings;
  const publicIps = { v4, v6 };
  const watch = openConnectivityMonitor(settings, {
    clock,
    log,
    channels: configuration.channels,
    tell: (notifications) => outbox.writeAndEnqueue(notifications),
    onlineAgain: () => outbox.tryNow(),
    isStoreFailing: () => supervisor.isStoreFailing,
  });
  // Before the actors, so that at the stop it judges until the last run is kept.
  const connectivity = parts.adopt(watch, (open) => open.close()).connectivityMonitor;
  // Until the server listens, a port that it is to pick is not known.
  let baseUrl = settings.publicUrl ?? urlAt(settings.host, settings.port);
  const maintenance = new MaintenanceWatch(configuration.maintenanceWindows);
  parts.defer(maintenance.close);
  const mailings = createMailer(settings, { ...needs, sendPorts, baseUrl: () => baseUrl });
  const incidents = new IncidentActors({ ...needs, mailings, fillInWith });
  const takesSubscribers = sendPorts.smtp !== null;
  const publishedPages = new PublishedPages({ ...needs, baseUrl: () => baseUrl, takesSubscribers });
  parts.defer(() => publishedPages.close());
  const alerts = new AlertEngine({
    configuration,
    outbox,
    incidents,
    clock,
    silencedAt: (check, at) => maintenance.of(check, at).silenced,
    isOffline: () => connectivity.isOffline(),
    baseUrl: () => baseUrl,
    log,
  });
  const runners = { connectivity, dispatcher, deniedRanges, publicIps };
  const slotClock = coalescingClock({ clock, passedMs: () => performance.now(), ...SLOT_STEPS });
  const supervisor = new Supervisor({
    ...needs,
    ...runners,
    clock: slotClock,
    maintenance,
    alerts,
  });
  const registry = new Registry();
  addEngineMetrics({ registry, monitor: supervisor, dispatcher, outbox, history });
  // All stop at once, as each may take seconds: later notifications are sent after the next start.
  const stops = () => [supervisor.stop(), outbox.stop(), dispatcher.endLongRuns()];
  parts.defer(async () => void (await Promise.all(stops())));
  // Pending notifications are sent from now on.
  await outbox.start();
  // Before the runs that may resolve them.
  await incidents.start();
  // The actors start before the API, so that every answer shows the state of its check.
  await supervisor.start();
  parts.defer(watchUnheardChecks(needs));
  const vitals = parts.adopt(
    new VitalsRecorder({ ...needs, monitor: supervisor, dispatcher, outbox }),
    (open) => open.stop(),
  );
  const sessions = await openSessions({ ...needs, runs: supervisor }, parts);

  const adminToken = randomBytes(32).toString('base64url');
  const mutex = createMutex();
  const sloCounter = new SloCounter(needs);
  const watchParts = { ...needs, monitor: supervisor, counter: sloCounter, outbox, mutex };
  parts.adopt(new SloWatch(watchParts), (open) => open.close());
  const engines = {
    ...needs,
    bundles: new CodeBundleStore(join(folder, CODE_BUNDLES_FOLDER)),
    projectFolders: settings.playwrightFolders,
    sloCounter,
    ...sessions,
    monitor: supervisor,
    connectivity,
    vitals,
    shownSettings: shownSettings(settings),
    sendPorts,
    outbox,
    outboxLimits: settings,
    incidents,
    mailings,
    publishedPages,
    artifactFiles,
    ...(await signingKeys(folder)),
    mutex,
  };
  const services = createServices(engines);
  parts.defer(services.codeBundles.startSweeping());
  parts.defer(services.mutes.start());
  parts.defer(services.checkStatuses.start());
  openOtlpExport(settings, { ...needs, registry, checkMetrics: services.checkMetrics }, parts);
  const api = createApi(engines, services, { ...settings, adminToken, registry, log });
  const server = parts.adopt(await listen(api, settings), (open) => open.close());
  baseUrl = settings.publicUrl ?? server.url;
  // Before the server, which waits for what is open.
  parts.defer(() => services.liveEvents.close());
  parts.defer(() => services.checkSummaries.close());
  ownPorts[0] = Number(new URL(server.url).port);
  startExport(settings, { ...needs, baseUrl: () => baseUrl, takesSubscribers: false }, parts);
  // Not before the links in mails are known.
  mailings.start();
  parts.defer(() => mailings.stop());
  const maintenanceMailings = new MaintenanceMailings({ ...needs, mailings });
  maintenanceMailings.start();
  parts.defer(() => maintenanceMailings.stop());
  // Requests that wait for the end of a session are answered before the server closes.
  parts.defer(() => stopSessions(sessions));
  const run = { url: server.url, adminToken };
  parts.adopt(await writeInstanceFile(folder, run, needs), (announced) => announced.remove());
  // Last: a key that a start makes and then fails to show would lock everybody out.
  const newKey = await services.keys.ensure(settings.apiKey);

  const { checks, channels: known } = configuration;
  const counts = { checks: checks.size, channels: known.size };
  log.info({ url: server.url, dataDir: folder, ...counts }, `Watchpost ${VERSION} has started.`);
  const all = parts.move();
  return {
    url: server.url,
    newKey,
    accountId: account.id,
    signInLink: () =>
      (settings.publicUrl ?? openAddress(server.url)) + linkPath(services.signIns.createLink(null)),
    stop: () => all.disposeAsync(),
  };
}

/** Of the folder's own key, so that sessions and links outlive a restart; nothing can be told of that key from them. */
async function signingKeys(folder: string) {
  const { bytes } = await readSecretKey(folder);
  const keyFor = (use: string) => Buffer.from(hkdfSync('sha256', bytes, '', use, 32));
  return {
    pageSessionKey: keyFor('sessions of status pages'),
    signInKey: keyFor('access tokens of the interface'),
    artifactKey: keyFor('links to artifacts'),
  };
}

/** Status pages as files, once the address is known that their feeds name. */
function startExport(
  { statusExportDir }: Settings,
  needs: StaticExportParts,
  parts: AsyncDisposableStack,
): void {
  if (statusExportDir === null) return;
  const staticExport = new StaticExport(statusExportDir, needs);
  staticExport.start();
  parts.defer(() => staticExport.stop());
}

/** A port that the threads see as soon as it is known. */
function sharedPort(port: number): Int32Array {
  const shared = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  shared[0] = port;
  return shared;
}

function openDispatcher(
  browser: BrowserRunnerData,
  { scriptLauncher: launcher }: Sandboxes,
  { clock, log }: Pick<Needs, 'clock' | 'log'>,
) {
  if (launcher.length === 0)
    log.info('Scripts run without a network namespace (docs/guide/scripts.md).');
  if (browser.bwrap === null)
    log.info(
      'Browser checks run without a sandbox (WATCHPOST_BROWSER_SANDBOX in docs/settings.md).',
    );
  const pools = embeddedPools({ scriptLauncher: launcher, browser, clock, log });
  return new Dispatcher(pools, clock);
}

interface Needs {
  configuration: Configuration;
  history: History;
  clock: Clock;
  log: Log;
}

type OutboxNeeds = Needs & Pick<OutboxParts, 'isNetworkDown'>;

/** The outbox, which sends nothing before its start, and what notifications leave through. */
function createOutbox(settings: Settings, needs: OutboxNeeds, parts: AsyncDisposableStack) {
  const sendPorts = portsOf(settings, { ...needs, desktop: null });
  const outbox = new Outbox({
    ...needs,
    channels: needs.configuration.channels,
    limits: stormLimits(needs.configuration, settings),
    send: (channel, notice) => sendNotice(channel, notice, sendPorts),
  });
  parts.adopt(outbox, (open) => open.stop());
  return { outbox, sendPorts };
}

interface MailerNeeds extends Needs {
  sendPorts: SendPorts;
  /** Where others reach the appliance. */
  baseUrl(): string;
}

/** Sends nothing before its start. */
function createMailer(
  { subscriberMailsPerMinute }: Settings,
  { sendPorts, baseUrl, ...needs }: MailerNeeds,
): Mailer {
  const mails = new SubscriberMails(baseUrl);
  const mail = {
    isSet: sendPorts.smtp !== null,
    compose: mails.compose.bind(mails),
    send: (one: Mail) => sendMail(one, sendPorts),
  };
  return new Mailer({ ...needs, mail, perMinute: subscriberMailsPerMinute });
}

type OtlpNeeds = Needs & Pick<OtlpExportParts, 'registry' | 'checkMetrics'>;

/** The operator names the endpoint, so it may be a private address: a collector is mostly one. */
function openOtlpExport(settings: Settings, needs: OtlpNeeds, parts: AsyncDisposableStack): void {
  const { otlpEndpoint: endpoint, otlpHeaders: headers, otlpIntervalSeconds } = settings;
  if (endpoint === null) return;
  const egress = new EgressClient({ allowPrivate: true, resolve: systemResolver() });
  const paced = { endpoint, headers, intervalSeconds: otlpIntervalSeconds };
  parts.adopt(new OtlpExport({ ...needs, ...paced, egress }), (open) => open.close());
}

interface OpenSessions {
  sessions: Sessions;
  testSessions: TestSessions;
}

/** Takes up what was under way: after the actors that carry it out, and so before them at the stop. */
async function openSessions(needs: SessionParts & TestSessionParts, parts: AsyncDisposableStack) {
  const open = { sessions: new Sessions(needs), testSessions: new TestSessions(needs) };
  parts.defer(() => stopSessions(open));
  await Promise.all([open.sessions.restore(), open.testSessions.restore()]);
  return open;
}

async function stopSessions({ sessions, testSessions }: OpenSessions): Promise<void> {
  await Promise.all([sessions.stop(), testSessions.stop()]);
}
