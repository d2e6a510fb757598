import type { z } from 'zod';
import { checkAlert } from '#shared/alert/check-alert.ts';
import { errorBody } from '#shared/api/errors.ts';
import { runtime } from '#shared/api/runtimes.ts';
import { alertNotification } from '#shared/channel/alert-notification.ts';
import { channelReadView, channelView, subscriptionView } from '#shared/channel/view.ts';
import { alertSettings, retryStrategy, triggerIncident } from '#shared/check/blocks.ts';
import { CHECK_TYPES } from '#shared/check/enums.ts';
import {
  groupCreateV1,
  groupCreateV2,
  groupRead,
  groupUpdate,
  groupView,
} from '#shared/group/group.ts';
import { maintenanceView, updateView } from '#shared/maintenance/maintenance.ts';
import { windowCreate, windowView } from '#shared/maintenance/window.ts';
import { checkResult } from '#shared/result/check-result.ts';
import { checkStatus } from '#shared/result/check-status.ts';
import {
  heartbeatAvailability,
  heartbeatEvent,
  heartbeatStats,
} from '#shared/result/heartbeat-event.ts';
import { SESSION_SCHEMAS } from '#shared/session/check-session-view.ts';
import { testSessionBody } from '#shared/session/test-session-body.ts';
import { testSession, testSessionResult } from '#shared/session/test-session-view.ts';
import { snippetBody, snippetView } from '#shared/snippet/snippet.ts';
import { checkTrigger, groupTrigger } from '#shared/trigger/trigger.ts';
import {
  variableCreate,
  variableMutationView,
  variableUpdate,
  variableView,
} from '#shared/variable/variable.ts';
import { accountView } from '../accounts.ts';
import { CHECK_ROUTES } from '../checks/routes.ts';
import { anyCheck, CHECK_SCHEMAS } from '../checks/schemas.ts';

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
  Snippet: snippetView,
  SnippetCreate: snippetBody,
  VariableCreate: variableCreate,
  VariableUpdate: variableUpdate,
  VariableMutation: variableMutationView,
  Variable: variableView,
  Account: accountView,
  Error: errorBody,
};

function checkComponents(): Record<string, z.ZodType> {
  const named = CHECK_TYPES.flatMap((type) => {
    const { schema: name } = CHECK_ROUTES[type];
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
