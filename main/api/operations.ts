import type { Operation } from './operation.ts';
import { listAccounts, readAccount, readMyAccount } from './routes/accounts.ts';
import { alertChannelOperations } from './routes/alert-channels.ts';
import { alertNotificationOperations } from './routes/alert-notifications.ts';
import { simulatePolicy } from './routes/alert-policy.ts';
import { changeAccountSettings, readAccountSettings } from './routes/app-account.ts';
import { addKey, listKeys, revokeKey } from './routes/app-keys.ts';
import { confirmClock, readStorage } from './routes/app-storage.ts';
import { checkAlertOperations } from './routes/check-alerts.ts';
import { groupOperations } from './routes/check-groups.ts';
import { listResultsV1 } from './routes/check-results/list-v1.ts';
import { listResultsV2 } from './routes/check-results/list-v2.ts';
import { readResult } from './routes/check-results/read.ts';
import { checkScript } from './routes/check-script.ts';
import { checkSessionOperations } from './routes/check-sessions.ts';
import { listStatuses, readStatus } from './routes/check-statuses.ts';
import { checkOperations } from './routes/checks.ts';
import { readConnectivity } from './routes/connectivity.ts';
import { docsOperations } from './routes/docs.ts';
import { healthz, readyz } from './routes/health.ts';
import { readAvailability } from './routes/heartbeats/availability.ts';
import { listEvents, readEvent } from './routes/heartbeats/events.ts';
import { listLocations } from './routes/locations.ts';
import { changeWindow, createWindow, deleteWindow } from './routes/maintenance-windows/change.ts';
import {
  changeMaintenance,
  deleteMaintenance,
  listMaintenances,
  readMaintenance,
} from './routes/maintenance-windows/maintenances.ts';
import { listWindows, readWindow } from './routes/maintenance-windows/read.ts';
import { createUpdate, deleteUpdate, editUpdate } from './routes/maintenance-windows/updates.ts';
import { metricsPage, openapiDocument, root } from './routes/pages.ts';
import { pingOperations } from './routes/ping/operations.ts';
import { listRuntimes, readRuntime } from './routes/runtimes.ts';
import { snippetOperations } from './routes/snippets.ts';
import { testSessionOperations } from './routes/test-sessions.ts';
import { triggerOperations } from './routes/triggers.ts';
import { variableOperations } from './routes/variables.ts';

/** The one table of operations: the routes and the served documentation both come from it. */
export const OPERATIONS: readonly Operation[] = [
  ...checkOperations,
  ...groupOperations,
  listResultsV1,
  listResultsV2,
  readResult,
  listStatuses,
  readStatus,
  ...checkSessionOperations,
  ...testSessionOperations,
  ...triggerOperations,
  ...pingOperations,
  listEvents,
  readEvent,
  readAvailability,
  ...alertChannelOperations,
  ...checkAlertOperations,
  ...alertNotificationOperations,
  createWindow,
  listWindows,
  readWindow,
  changeWindow,
  deleteWindow,
  listMaintenances,
  readMaintenance,
  changeMaintenance,
  deleteMaintenance,
  createUpdate,
  editUpdate,
  deleteUpdate,
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
  readStorage,
  confirmClock,
  simulatePolicy,
  listKeys,
  addKey,
  revokeKey,
  readConnectivity,
  root,
  ...docsOperations,
  openapiDocument,
  healthz,
  readyz,
  metricsPage,
];
