import { listAccounts, readAccount, readMyAccount } from './accounts.ts';
import { changeChannel, createChannel, deleteChannel } from './alert-channels/change.ts';
import { listChannels, readChannel } from './alert-channels/read.ts';
import { subscribeAll, subscribeChannel } from './alert-channels/subscribe.ts';
import { testChannel } from './alert-channels/test.ts';
import { listNotifications } from './alert-notifications/list.ts';
import { resendNotification } from './alert-notifications/resend.ts';
import { simulatePolicy } from './alert-policy/simulate.ts';
import { changeAccountSettings, readAccountSettings } from './app-account.ts';
import { addKey, listKeys, revokeKey } from './app-keys.ts';
import { confirmClock, readStorage } from './app-storage.ts';
import { listAlerts, listAlertsOfCheck } from './check-alerts/list.ts';
import { listGroupChecks, readGroupCheck } from './check-groups/checks.ts';
import { createGroupV1, createGroupV2 } from './check-groups/create.ts';
import { deleteGroup } from './check-groups/delete.ts';
import { listGroups, readGroup } from './check-groups/read.ts';
import { updateGroupOperations } from './check-groups/update.ts';
import { listResultsV1 } from './check-results/list-v1.ts';
import { listResultsV2 } from './check-results/list-v2.ts';
import { readResult } from './check-results/read.ts';
import { checkScript } from './check-script.ts';
import { checkSessionOperations } from './check-sessions/operations.ts';
import { listStatuses, readStatus } from './check-statuses.ts';
import { createAnyCheck, createOperations } from './checks/create.ts';
import { deleteCheck } from './checks/delete.ts';
import { listOperations } from './checks/list.ts';
import { readOperations } from './checks/read.ts';
import { updateAnyCheck, updateOperations } from './checks/update.ts';
import { healthz, readyz } from './health.ts';
import { readAvailability } from './heartbeats/availability.ts';
import { listEvents, readEvent } from './heartbeats/events.ts';
import { listLocations } from './locations.ts';
import { changeWindow, createWindow, deleteWindow } from './maintenance-windows/change.ts';
import {
  changeMaintenance,
  deleteMaintenance,
  listMaintenances,
  readMaintenance,
} from './maintenance-windows/maintenances.ts';
import { listWindows, readWindow } from './maintenance-windows/read.ts';
import { createUpdate, deleteUpdate, editUpdate } from './maintenance-windows/updates.ts';
import type { Operation } from './operation.ts';
import { docsPage, docsStyle, metricsPage, openapiDocument, root } from './pages.ts';
import { pingOperations } from './ping/operations.ts';
import { listRuntimes, readRuntime } from './runtimes.ts';
import { readSight } from './sight.ts';
import { changeSnippet, createSnippet, deleteSnippet } from './snippets/change.ts';
import { listSnippets, readSnippet } from './snippets/read.ts';
import { testSessionOperations } from './test-sessions/operations.ts';
import { triggerOperations } from './triggers/operations.ts';
import { changeVariable, createVariable, deleteVariable } from './variables/change.ts';
import { listVariables, readVariable } from './variables/read.ts';

/** The one table of operations: the routes and the served documentation both come from it. */
export const OPERATIONS: readonly Operation[] = [
  ...createOperations,
  createAnyCheck,
  ...updateOperations,
  updateAnyCheck,
  ...listOperations,
  ...readOperations,
  deleteCheck,
  createGroupV1,
  createGroupV2,
  listGroups,
  readGroup,
  ...updateGroupOperations,
  deleteGroup,
  ...listGroupChecks,
  ...readGroupCheck,
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
  createChannel,
  listChannels,
  readChannel,
  changeChannel,
  deleteChannel,
  subscribeChannel,
  subscribeAll,
  testChannel,
  listAlerts,
  listAlertsOfCheck,
  listNotifications,
  resendNotification,
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
  createSnippet,
  listSnippets,
  readSnippet,
  changeSnippet,
  deleteSnippet,
  createVariable,
  listVariables,
  readVariable,
  changeVariable,
  deleteVariable,
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
  readSight,
  root,
  docsPage,
  docsStyle,
  openapiDocument,
  healthz,
  readyz,
  metricsPage,
];
