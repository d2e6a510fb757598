import type { Operation } from './operation.ts';
import { listAccounts, readAccount, readMyAccount } from './routes/accounts.ts';
import { alertChannelOperations } from './routes/alert-channels.ts';
import { alertNotificationOperations } from './routes/alert-notifications.ts';
import { simulatePolicy } from './routes/alert-policy.ts';
import { analyticsOperations } from './routes/analytics.ts';
import { changeAccountSettings, readAccountSettings } from './routes/app-account.ts';
import { addKey, listKeys, revokeKey } from './routes/app-keys.ts';
import { storageOperations } from './routes/app-storage.ts';
import { vitalsOperations } from './routes/app-vitals.ts';
import { artifactOperations } from './routes/artifacts.ts';
import { badgeOperations } from './routes/badges.ts';
import { boardOperations } from './routes/boards.ts';
import { checkAlertOperations } from './routes/check-alerts.ts';
import { groupOperations } from './routes/check-groups.ts';
import { readCheckMetrics } from './routes/check-metrics.ts';
import { resultOperations } from './routes/check-results.ts';
import { checkScript } from './routes/check-script.ts';
import { checkSessionOperations } from './routes/check-sessions.ts';
import { statusOperations } from './routes/check-statuses.ts';
import { checkOperations } from './routes/checks.ts';
import { codeBundleOperations } from './routes/code-bundles.ts';
import { readConnectivity } from './routes/connectivity.ts';
import { dashboardIncidentOperations } from './routes/dashboard-incidents.ts';
import { dashboardOperations } from './routes/dashboards.ts';
import { docsOperations } from './routes/docs.ts';
import { errorGroupOperations } from './routes/error-groups.ts';
import { healthOperations } from './routes/health.ts';
import { heartbeatOperations } from './routes/heartbeats.ts';
import { incidentUpdateOperations } from './routes/incident-updates.ts';
import { incidentOperations } from './routes/incidents.ts';
import { liveOperations } from './routes/live.ts';
import { listLocations } from './routes/locations.ts';
import { windowOperations } from './routes/maintenance-windows.ts';
import { maintenanceOperations } from './routes/maintenances.ts';
import { muteOperations } from './routes/mutes.ts';
import { pageSubscriptionOperations } from './routes/page-subscriptions.ts';
import { metricsPage, openapiDocument } from './routes/pages.ts';
import { listRuntimes, readRuntime } from './routes/runtimes.ts';
import { signInOperations } from './routes/sign-ins.ts';
import { sloOperations } from './routes/slos.ts';
import { snippetOperations } from './routes/snippets.ts';
import { statusPageServiceOperations } from './routes/status-page-services.ts';
import { statusPageOperations } from './routes/status-pages.ts';
import { testSessionOperations } from './routes/test-sessions.ts';
import { traceViewerOperations } from './routes/trace-viewer.ts';
import { triggerOperations } from './routes/triggers.ts';
import { uiOperations } from './routes/ui.ts';
import { variableOperations } from './routes/variables.ts';

import { publicPageOperations } from './status-page/operations.ts';
import { pageSubscriberOperations } from './status-page/subscriber-operations.ts';

/** The one table of operations: the routes and the served documentation both come from it. */
export const OPERATIONS: readonly Operation[] = [
  // Readers are many at once: their routes are looked for first.
  ...publicPageOperations,
  ...checkOperations,
  ...codeBundleOperations,
  ...groupOperations,
  ...resultOperations,
  ...artifactOperations,
  ...traceViewerOperations,
  ...statusOperations,
  ...analyticsOperations,
  ...errorGroupOperations,
  readCheckMetrics,
  ...sloOperations,
  ...checkSessionOperations,
  ...testSessionOperations,
  ...triggerOperations,
  ...heartbeatOperations,
  ...alertChannelOperations,
  ...checkAlertOperations,
  ...alertNotificationOperations,
  ...windowOperations,
  ...maintenanceOperations,
  ...muteOperations,
  ...statusPageOperations,
  ...statusPageServiceOperations,
  ...pageSubscriptionOperations,
  ...incidentOperations,
  ...incidentUpdateOperations,
  ...dashboardOperations,
  ...dashboardIncidentOperations,
  ...boardOperations,
  ...pageSubscriberOperations,
  ...badgeOperations,
  ...snippetOperations,
  ...variableOperations,
  checkScript,
  listLocations,
  listRuntimes,
  readRuntime,
  listAccounts,
  readMyAccount,
  readAccount,
  readAccountSettings,
  changeAccountSettings,
  ...storageOperations,
  ...vitalsOperations,
  simulatePolicy,
  listKeys,
  addKey,
  revokeKey,
  ...signInOperations,
  ...liveOperations,
  readConnectivity,
  ...uiOperations,
  ...docsOperations,
  openapiDocument,
  ...healthOperations,
  metricsPage,
];
