import type { z } from 'zod';
import { checkAlert } from '#shared/alerting/check-alert.ts';
import { errorBody } from '#shared/api/errors.ts';
import { alertSettings, retryStrategy, triggerIncident } from '#shared/checks/blocks.ts';
import { CHECK_KINDS } from '#shared/checks/check.ts';
import { CHECK_TYPES } from '#shared/checks/enums.ts';
import { runtime } from '#shared/checks/runtimes.ts';
import { anyCheck, CHECK_SCHEMAS } from '#shared/checks/schemas.ts';
import { dashboardView } from '#shared/dashboards/dashboard.ts';
import {
  incidentUpdateView as dashboardIncidentUpdateView,
  dashboardIncidentView,
  incidentUpdateCreate,
} from '#shared/dashboards/dashboard-incident.ts';
import {
  errorGroup,
  errorGroupPatch,
  testSessionErrorGroup,
} from '#shared/error-groups/error-group.ts';
import { groupCreateV1, groupCreateV2, groupUpdate } from '#shared/groups/group.ts';
import { groupRead, groupView } from '#shared/groups/view.ts';
import { maintenanceView, updateView } from '#shared/maintenance/maintenance.ts';
import { windowCreate, windowView } from '#shared/maintenance/window.ts';
import { alertNotification } from '#shared/notifications/alert-notification.ts';
import { channelReadView, channelView, subscriptionView } from '#shared/notifications/view.ts';
import { checkResult } from '#shared/results/check-result.ts';
import { checkStatus } from '#shared/results/check-status.ts';
import {
  heartbeatAvailability,
  heartbeatEvent,
  heartbeatStats,
} from '#shared/results/heartbeat-event.ts';
import { SESSION_SCHEMAS } from '#shared/sessions/check-session-view.ts';
import { testSessionBody } from '#shared/sessions/test-session-body.ts';
import { testSession, testSessionResult } from '#shared/sessions/test-session-view.ts';
import { checkTrigger, groupTrigger } from '#shared/sessions/trigger.ts';
import { incidentUpdateBody } from '#shared/status-pages/incident-body.ts';
import { incidentUpdateView, incidentView } from '#shared/status-pages/incident-view.ts';
import { pageServiceBody, pageServiceView } from '#shared/status-pages/page-service.ts';
import { statusPageView } from '#shared/status-pages/status-page-view.ts';
import { snippetBody, snippetView } from '#shared/variables/snippet.ts';
import {
  variableCreate,
  variableMutationView,
  variableUpdate,
  variableView,
} from '#shared/variables/variable.ts';
import { accountView } from '../routes/accounts.ts';

/** Schemas that the served document has under a name; every use of one refers to it. */
export function componentSchemas(): Record<string, z.ZodType> {
  return { Check: anyCheck, ...checkComponents(), ...SHARED };
}

const SHARED = {
  AlertSettings: alertSettings,
  RetryStrategy: retryStrategy,
  TriggerIncident: triggerIncident,
  CheckGroup: groupView,
  CheckGroupRead: groupRead,
  CheckGroupCreate: groupCreateV1,
  CheckGroupCreateV2: groupCreateV2,
  CheckGroupUpdate: groupUpdate,
  CheckResult: checkResult,
  ErrorGroup: errorGroup,
  ErrorGroupPatch: errorGroupPatch,
  TestSessionErrorGroup: testSessionErrorGroup,
  CheckStatus: checkStatus,
  HeartbeatEvent: heartbeatEvent,
  HeartbeatAvailability: heartbeatAvailability,
  HeartbeatStats: heartbeatStats,
  CheckSessionV1: SESSION_SCHEMAS.v1.session,
  CheckSession: SESSION_SCHEMAS.v2.session,
  TestSessionTrigger: testSessionBody,
  TestSession: testSession,
  TestSessionResult: testSessionResult,
  CheckTrigger: checkTrigger,
  CheckGroupTrigger: groupTrigger,
  Runtime: runtime,
  AlertChannel: channelView,
  AlertChannelRead: channelReadView,
  AlertChannelSubscription: subscriptionView,
  AlertNotification: alertNotification,
  CheckAlert: checkAlert,
  MaintenanceWindow: windowView,
  MaintenanceWindowCreate: windowCreate,
  Maintenance: maintenanceView,
  MaintenanceUpdate: updateView,
  StatusPage: statusPageView,
  Incident: incidentView,
  IncidentUpdate: incidentUpdateView,
  IncidentUpdateBody: incidentUpdateBody,
  StatusPageService: pageServiceView,
  StatusPageServiceBody: pageServiceBody,
  Snippet: snippetView,
  SnippetCreate: snippetBody,
  VariableCreate: variableCreate,
  VariableUpdate: variableUpdate,
  VariableMutation: variableMutationView,
  Variable: variableView,
  Dashboard: dashboardView,
  DashboardIncident: dashboardIncidentView,
  DashboardIncidentUpdateCreate: incidentUpdateCreate,
  DashboardIncidentUpdate: dashboardIncidentUpdateView,
  Account: accountView,
  Error: errorBody,
};

function checkComponents(): Record<string, z.ZodType> {
  const named = CHECK_TYPES.flatMap((type) => {
    const { schemaName: name } = CHECK_KINDS[type];
    const { read, create, update, genericCreate, genericUpdate } = CHECK_SCHEMAS[type];
    return [
      [name, read],
      [`${name}Create`, create],
      [`${name}Update`, update],
      [`${name}GenericCreate`, genericCreate],
      [`${name}GenericUpdate`, genericUpdate],
    ] as const;
  });
  return Object.fromEntries(named);
}
