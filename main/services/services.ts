import type { AutomatedIncidents } from '#main/incidents/incident-port.ts';
import type { MailingPort } from '#main/incidents/mailing-port.ts';
import type { Monitor } from '#main/monitoring/monitor-port.ts';
import type { SendPorts } from '#main/notifications/channels/sender.ts';
import type { OutboxLimits } from '#main/notifications/delivery-port.ts';
import type { OutboxPort } from '#main/notifications/outbox-port.ts';
import type { Log } from '#main/platform/log.ts';
import type { Mutex } from '#main/platform/mutex.ts';
import type { ConnectivityView } from '#main/self-monitoring/connectivity-port.ts';
import type { VitalsPort } from '#main/self-monitoring/vitals-port.ts';
import type { CheckSessionsPort, TestSessionsPort } from '#main/sessions/sessions-port.ts';
import type { SloCounting } from '#main/slos/slo-port.ts';
import type { StatusPagesPort } from '#main/status-pages/status-pages-port.ts';
import type { ArtifactFiles } from '#main/store/artifacts/artifact-files.ts';
import type { CodeBundleStore } from '#main/store/code-bundles/code-bundle-store.ts';
import type { Configuration } from '#main/store/configuration/configuration.ts';
import type { History } from '#main/store/history/history.ts';
import type { Clock } from '#shared/clock.ts';
import type { ShownSetting } from '#shared/self-monitoring/shown-setting.ts';
import { Accounts } from './accounts.ts';
import { AlertChannels } from './alert-channels.ts';
import { AlertNotifications } from './alert-notifications.ts';
import { AlertPolicies } from './alert-policies.ts';
import { Analytics } from './analytics.ts';
import { Artifacts } from './artifacts.ts';
import { Badges } from './badges.ts';
import { Boards } from './boards.ts';
import { CheckAlerts } from './check-alerts.ts';
import { CheckGroups } from './check-groups.ts';
import { CheckMetrics } from './check-metrics.ts';
import { CheckResults } from './check-results.ts';
import { CheckSessions } from './check-sessions.ts';
import { CheckStatuses } from './check-statuses.ts';
import { CheckSummaries } from './check-summaries.ts';
import { Checks } from './checks.ts';
import { CodeBundles } from './code-bundles.ts';
import { DashboardIncidents } from './dashboard-incidents.ts';
import { Dashboards } from './dashboards.ts';
import { ErrorGroups } from './error-groups.ts';
import { Health } from './health.ts';
import { Heartbeats } from './heartbeats.ts';
import { IncidentStore } from './incident-store.ts';
import { IncidentUpdates } from './incident-updates.ts';
import { Incidents } from './incidents.ts';
import { Keys } from './keys.ts';
import { LiveEvents, tellChanges, tellSessions } from './live-events.ts';
import { MaintenanceWindows } from './maintenance-windows.ts';
import { Maintenances } from './maintenances.ts';
import { Mutes } from './mutes.ts';
import { PageSubscribers } from './page-subscribers.ts';
import { PageSubscriptions } from './page-subscriptions.ts';
import { PublicPages } from './public-pages.ts';
import { Reporting } from './reporting.ts';
import { ScriptSyntax } from './script-syntax/check-syntax.ts';
import { SignIns } from './sign-ins.ts';
import { Slos } from './slos.ts';
import { Snippets } from './snippets.ts';
import { StatusPageServices } from './status-page-services.ts';
import { StatusPages } from './status-pages.ts';
import { Storage } from './storage.ts';
import { TestSessions } from './test-sessions.ts';
import { Triggers } from './triggers.ts';
import { Usages } from './usages.ts';
import { Variables } from './variables.ts';

/** The stores and engines that services stand on; built once in the composition root. */
export interface Engines {
  clock: Clock;
  configuration: Configuration;
  history: History;
  monitor: Monitor;
  sessions: CheckSessionsPort;
  testSessions: TestSessionsPort;
  sendPorts: SendPorts;
  mailings: MailingPort;
  publishedPages: StatusPagesPort;
  /** Signs the sessions of private status pages. */
  pageSessionKey: Buffer;
  /** Signs the access tokens of pages of the interface. */
  signInKey: Buffer;
  artifactFiles: Pick<ArtifactFiles, 'pathOf'>;
  /** Signs links to artifacts. */
  artifactKey: Uint8Array;
  /** Whether the monitor itself is online. */
  connectivity: { view(): ConnectivityView };
  /** How the appliance itself does. */
  vitals: VitalsPort;
  /** What the operator set. */
  shownSettings: readonly ShownSetting[];
  outbox: Pick<OutboxPort, 'resend'>;
  /** What the appliance was started with. */
  outboxLimits: OutboxLimits;
  incidents: AutomatedIncidents;
  sloCounter: SloCounting;
  /** The archives of Playwright projects, and the folders that they may be in. */
  bundles: CodeBundleStore;
  projectFolders: readonly string[];
  /** Changes that may stand in each other's way wait for each other, by key. */
  mutex: Mutex;
  log: Pick<Log, 'error' | 'warn'>;
}

/** What the product can do, by resource: the API, the command line and the desktop call these. */
export interface Services {
  accounts: Accounts;
  alertChannels: AlertChannels;
  analytics: Analytics;
  alertNotifications: AlertNotifications;
  alertPolicies: AlertPolicies;
  artifacts: Artifacts;
  badges: Badges;
  boards: Boards;
  checkAlerts: CheckAlerts;
  checkSessions: CheckSessions;
  checkGroups: CheckGroups;
  checks: Checks;
  codeBundles: CodeBundles;
  keys: Keys;
  reporting: Reporting;
  scriptSyntax: ScriptSyntax;
  testSessions: TestSessions;
  triggers: Triggers;
  checkMetrics: CheckMetrics;
  checkResults: CheckResults;
  checkStatuses: CheckStatuses;
  checkSummaries: CheckSummaries;
  liveEvents: LiveEvents;
  connectivity: { view(): ConnectivityView };
  dashboardIncidents: DashboardIncidents;
  dashboards: Dashboards;
  errorGroups: ErrorGroups;
  health: Health;
  heartbeats: Heartbeats;
  incidents: Incidents;
  incidentUpdates: IncidentUpdates;
  maintenanceWindows: MaintenanceWindows;
  maintenances: Maintenances;
  mutes: Mutes;
  pageSubscribers: PageSubscribers;
  publicPages: PublicPages;
  signIns: SignIns;
  slos: Slos;
  snippets: Snippets;
  statusPageServices: StatusPageServices;
  statusPages: StatusPages;
  pageSubscriptions: PageSubscriptions;
  storage: Storage;
  vitals: VitalsPort;
  shownSettings: readonly ShownSetting[];
  usages: Usages;
  variables: Variables;
}

export function createServices(engines: Engines): Services {
  const checkSessions = new CheckSessions(engines);
  const triggers = new Triggers(engines, checkSessions);
  triggers.endWithTargets();
  const badges = new Badges(engines);
  badges.endWithTargets();
  const codeBundles = new CodeBundles(engines);
  const checks = new Checks({ ...engines, codeBundles });
  const dashboards = new Dashboards(engines);
  const dashboardIncidents = new DashboardIncidents(engines, dashboards);
  const incidentStore = new IncidentStore(engines);
  const incidents = new Incidents(engines, incidentStore);
  const statusPages = new StatusPages({ ...engines, incidents });
  const maintenanceWindows = new MaintenanceWindows(engines);
  const pageSubscriptions = new PageSubscriptions({ ...engines, pages: statusPages });
  const liveEvents = new LiveEvents(engines);
  tellChanges(engines, liveEvents);
  tellSessions(engines.sessions, liveEvents);
  const analytics = new Analytics({ ...engines, checks });
  const checkGroups = new CheckGroups({ ...engines, checks });
  const snippets = new Snippets(engines);
  const variables = new Variables(engines);
  return {
    accounts: new Accounts(engines),
    alertChannels: new AlertChannels(engines),
    analytics,
    alertNotifications: new AlertNotifications(engines),
    alertPolicies: new AlertPolicies(engines),
    artifacts: new Artifacts({ ...engines, checks }),
    badges,
    boards: new Boards(engines, dashboardIncidents),
    checkAlerts: new CheckAlerts(engines),
    checkSessions,
    checkGroups,
    checks,
    codeBundles,
    keys: new Keys(engines),
    reporting: new Reporting({ ...engines, analytics }),
    scriptSyntax: new ScriptSyntax(engines),
    testSessions: new TestSessions({ ...engines, checks }),
    triggers,
    checkMetrics: new CheckMetrics(engines),
    checkResults: new CheckResults({ ...engines, checks }),
    checkStatuses: new CheckStatuses({ ...engines, checks }),
    checkSummaries: new CheckSummaries({ ...engines, liveEvents }),
    liveEvents,
    connectivity: engines.connectivity,
    dashboardIncidents,
    dashboards,
    errorGroups: new ErrorGroups(engines),
    health: new Health(engines),
    heartbeats: new Heartbeats({ ...engines, checks }),
    incidents,
    incidentUpdates: new IncidentUpdates(incidentStore),
    maintenanceWindows,
    maintenances: new Maintenances(engines, maintenanceWindows),
    mutes: new Mutes({ ...engines, checks, checkGroups }),
    pageSubscribers: new PageSubscribers({ ...engines, subscriptions: pageSubscriptions }),
    publicPages: new PublicPages(engines),
    signIns: new SignIns(engines),
    slos: new Slos(engines),
    snippets,
    statusPages,
    pageSubscriptions,
    statusPageServices: new StatusPageServices(engines),
    storage: new Storage(engines),
    vitals: engines.vitals,
    shownSettings: engines.shownSettings,
    usages: new Usages({ ...engines, snippets, variables }),
    variables,
  };
}
