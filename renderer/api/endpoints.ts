import type { z } from 'zod';
import type { AccountSettings } from '#shared/accounts/account-settings.ts';
import type { ALERT_SAYINGS } from '#shared/alerting/alert-type.ts';
import type { Simulation, simulationBody } from '#shared/alerting/simulation.ts';
import type { analyticsReport } from '#shared/analytics/report.ts';
import type { assetManifest } from '#shared/artifacts/asset-manifest.ts';
import type { CheckType } from '#shared/checks/enums.ts';
import type { groupView } from '#shared/groups/view.ts';
import type { maintenanceView } from '#shared/maintenance/maintenance.ts';
import type { windowView } from '#shared/maintenance/window.ts';
import type { MuteView, muteBody } from '#shared/mutes/mute.ts';
import type { AlertNotification } from '#shared/notifications/alert-notification.ts';
import type { SubscriptionBody } from '#shared/notifications/channel.ts';
import type { toldAlert } from '#shared/notifications/told-alert.ts';
import type { ShownChannel, subscriptionView, TestedChannel } from '#shared/notifications/view.ts';
import type { ResultField } from '#shared/results/check-result.ts';
import type { CheckStatus } from '#shared/results/check-status.ts';
import type { ResultDetails } from '#shared/results/details.ts';
import type {
  HeartbeatAvailability,
  HeartbeatStats,
  heartbeatEvent,
} from '#shared/results/heartbeat-event.ts';
import type { ScriptVerdict } from '#shared/sandbox/script-verdict.ts';
import type { ConnectivityAnswer } from '#shared/self-monitoring/connectivity-view.ts';
import type { ShownSetting } from '#shared/self-monitoring/shown-setting.ts';
import type { StorageView } from '#shared/self-monitoring/storage-view.ts';
import type { Vitals } from '#shared/self-monitoring/vitals.ts';
import type { SESSION_SCHEMAS } from '#shared/sessions/check-session-view.ts';
import type { ShownTestResult, testSession } from '#shared/sessions/test-session-view.ts';
import type { keyView, newKey } from '#shared/sign-ins/key-view.ts';
import type { signInView } from '#shared/sign-ins/sign-in.ts';
import type { AppSummary } from '#shared/summaries/check-summary.ts';
import type { BatchSummary, SessionSummary } from '#shared/summaries/session-summary.ts';
import type { snippetBody, snippetView } from '#shared/variables/snippet.ts';
import type { UsersView } from '#shared/variables/uses.ts';
import type {
  variableCreate,
  variableMutationView,
  variableUpdate,
  variableView,
} from '#shared/variables/variable.ts';
import type { ShownCheck, ShownResult } from './answers.ts';

type Sessions = (typeof SESSION_SCHEMAS)['v2'];

/** ISO 8601; `from` is in the time, `to` is not. */
interface TimeAsked {
  from?: string | undefined;
  to?: string | undefined;
}

interface ResultsAsked extends TimeAsked {
  limit?: number;
  hasFailures?: boolean | undefined;
  location?: string | undefined;
  resultType?: 'FINAL' | 'ATTEMPT' | 'ALL' | undefined;
  fields?: readonly ResultField[];
  nextId?: string | undefined;
}

interface PageAsked {
  limit: number;
  page: number;
}

interface AnalyticsAsked extends TimeAsked {
  metrics: readonly string[];
  aggregationInterval?: number;
  groupBy?: 'runLocation' | 'statusCode' | 'pageIndex';
  filterByStatus?: 'success' | 'failure';
  limit?: number;
}

/**
 * Every operation that the interface calls, with the types of the schemas that the appliance parses and
 * answers by. A new one is a new line. Only types: no schema is loaded for them.
 */
export interface Endpoints {
  'GET /app/sign-ins': { answer: z.output<typeof signInView>[] };
  'DELETE /app/sign-ins/{id}': { params: 'id'; answer: null };
  'DELETE /app/sign-ins': { answer: null };
  'GET /app/keys': { answer: z.output<typeof keyView>[] };
  'POST /app/keys': { body: { name: string }; answer: z.output<typeof newKey> };
  'DELETE /app/keys/{id}': { params: 'id'; answer: null };
  'GET /app/vitals': { answer: Vitals };
  'GET /app/settings': { answer: ShownSetting[] };
  'GET /app/storage': { answer: StorageView };
  'POST /app/storage/confirm-clock': { answer: StorageView };
  'GET /app/connectivity': { answer: ConnectivityAnswer };
  'GET /app/summary': { answer: AppSummary };
  'GET /v1/checks': {
    query: { checkType?: CheckType; limit?: number; page?: number };
    answer: ShownCheck[];
  };
  'GET /v3/checks/{id}': {
    params: 'id';
    query: { includeDependencies?: boolean };
    answer: ShownCheck;
  };
  'POST /v1/checks/{segment}': {
    params: 'segment';
    query: { autoAssignAlerts?: boolean };
    body: Record<string, unknown>;
    answer: ShownCheck;
  };
  'PUT /v1/checks/{segment}/{id}': {
    params: 'segment' | 'id';
    body: Record<string, unknown>;
    answer: ShownCheck;
  };
  'PUT /v1/checks/{id}': { params: 'id'; body: Record<string, unknown>; answer: unknown };
  'DELETE /v1/checks/{id}': { params: 'id'; answer: null };
  'GET /app/{kind}/{id}/mute': { params: 'kind' | 'id'; answer: MuteView };
  'PUT /app/{kind}/{id}/mute': {
    params: 'kind' | 'id';
    body: z.input<typeof muteBody>;
    answer: MuteView;
  };
  'GET /v1/check-groups/{id}': { params: 'id'; answer: z.output<typeof groupView> };
  'POST /v2/check-groups': {
    body: Record<string, unknown>;
    answer: z.output<typeof groupView>;
  };
  'PUT /v2/check-groups/{id}': {
    params: 'id';
    body: Record<string, unknown>;
    answer: z.output<typeof groupView>;
  };
  'DELETE /v1/check-groups/{id}': { params: 'id'; answer: null };
  'GET /v1/check-statuses/{checkId}': { params: 'checkId'; answer: CheckStatus };
  'GET /v2/check-results/{checkId}': {
    params: 'checkId';
    query: ResultsAsked;
    answer: { length: number; entries: ShownResult[]; nextId: string | null };
  };
  'GET /v1/check-results/{checkId}/{checkResultId}': {
    params: 'checkId' | 'checkResultId';
    answer: ShownResult;
  };
  'GET /v1/check-results/{checkId}/{checkResultId}/assets': {
    params: 'checkId' | 'checkResultId';
    answer: z.output<typeof assetManifest>;
  };
  'POST /app/checks/try': {
    query: { checkId?: string | undefined };
    body: Record<string, unknown>;
    answer: z.output<typeof testSession>;
  };
  'GET /v1/test-sessions/{testSessionId}/completion': {
    params: 'testSessionId';
    query: { maxWaitSeconds: number };
    answer: z.output<typeof testSession>;
  };
  'GET /v1/test-sessions/{testSessionId}/results/{testSessionResultId}': {
    params: 'testSessionId' | 'testSessionResultId';
    answer: ShownTestResult & ResultDetails;
  };
  'POST /v1/test-sessions/{testSessionId}/cancel': {
    params: 'testSessionId';
    body: object;
    answer: null;
  };
  'GET /v1/analytics/{kind}/{id}': {
    params: 'kind' | 'id';
    query: AnalyticsAsked;
    answer: z.output<typeof analyticsReport>;
  };
  'GET /v1/checks/heartbeats/{checkId}/events': {
    params: 'checkId';
    query: { startTime?: string; endTime?: string | undefined; limit?: number };
    answer: { events: z.output<typeof heartbeatEvent>[]; stats: HeartbeatStats }[];
  };
  'GET /v1/checks/heartbeats/{checkId}/availability': {
    params: 'checkId';
    query: { startTime?: string; endTime?: string };
    answer: HeartbeatAvailability;
  };
  'GET /app/check-alerts': {
    query: TimeAsked & {
      checkId?: string | undefined;
      says?: (typeof ALERT_SAYINGS)[number] | undefined;
      isTold?: boolean | undefined;
      limit?: number;
      page?: number;
    };
    answer: z.output<typeof toldAlert>[];
  };
  'GET /v1/alert-channels': { query: PageAsked; answer: ShownChannel[] };
  'GET /v1/alert-channels/{id}': { params: 'id'; answer: ShownChannel };
  'POST /v1/alert-channels': { body: Record<string, unknown>; answer: ShownChannel };
  'PUT /v1/alert-channels/{id}': {
    params: 'id';
    body: Record<string, unknown>;
    answer: ShownChannel;
  };
  'DELETE /v1/alert-channels/{id}': { params: 'id'; answer: null };
  'PUT /v1/alert-channels/{id}/subscriptions': {
    params: 'id';
    body: SubscriptionBody;
    answer: z.output<typeof subscriptionView>;
  };
  'POST /app/alert-channels/{id}/subscribe-all': {
    params: 'id';
    body: Record<string, never>;
    answer: ShownChannel;
  };
  'POST /app/alert-channels/{id}/test': {
    params: 'id';
    body: Record<string, never>;
    answer: TestedChannel;
  };
  'GET /v1/alert-notifications': {
    query: TimeAsked & PageAsked & { alertChannelId?: number; hasFailures?: true | undefined };
    answer: AlertNotification[];
  };
  'POST /app/alert-notifications/{id}/resend': {
    params: 'id';
    body: Record<string, never>;
    answer: AlertNotification;
  };
  'GET /app/account': { answer: AccountSettings };
  'PUT /app/account': { body: Record<string, unknown>; answer: AccountSettings };
  'POST /app/alert-policy/simulate': {
    body: z.input<typeof simulationBody>;
    answer: Simulation;
  };
  'GET /v1/maintenance-windows': {
    query: { limit: number };
    answer: z.output<typeof windowView>[];
  };
  'GET /v1/maintenance-windows/{id}/maintenances': {
    params: 'id';
    query: { limit: number };
    answer: z.output<typeof maintenanceView>[];
  };
  'POST /v2/check-sessions/trigger': {
    body: { target: { checkId?: string[]; groupId?: number[] } };
    answer: z.output<Sessions['triggered']>;
  };
  'GET /v2/check-sessions/{checkSessionId}': {
    params: 'checkSessionId';
    answer: z.output<Sessions['session']>;
  };
  'GET /app/check-sessions': { answer: BatchSummary[] };
  'GET /app/check-sessions/{checkSessionId}': {
    params: 'checkSessionId';
    answer: SessionSummary[];
  };
  'POST /v1/check-sessions/{checkSessionId}/cancel': { params: 'checkSessionId'; answer: null };
  'GET /v1/variables': { query: PageAsked; answer: z.output<typeof variableView>[] };
  'POST /v1/variables': {
    body: z.input<typeof variableCreate>;
    answer: z.output<typeof variableMutationView>;
  };
  'PUT /v1/variables/{key}': {
    params: 'key';
    body: z.input<typeof variableUpdate>;
    answer: z.output<typeof variableMutationView>;
  };
  'DELETE /v1/variables/{key}': { params: 'key'; answer: null };
  'GET /app/variables/{key}/users': { params: 'key'; answer: UsersView };
  'GET /v1/snippets': { query: PageAsked; answer: z.output<typeof snippetView>[] };
  'GET /v1/snippets/{id}': { params: 'id'; answer: z.output<typeof snippetView> };
  'POST /v1/snippets': {
    body: z.input<typeof snippetBody>;
    answer: z.output<typeof snippetView>;
  };
  'PUT /v1/snippets/{id}': {
    params: 'id';
    body: z.input<typeof snippetBody>;
    answer: z.output<typeof snippetView>;
  };
  'GET /app/snippets/{id}/users': { params: 'id'; answer: UsersView };
  'DELETE /v1/snippets/{id}': { params: 'id'; answer: null };
  'POST /app/scripts/check': { body: { code: string }; answer: ScriptVerdict };
  'POST /next/checkly-storage/peek-code-bundle': {
    body: { key: string };
    answer: { key: string; contentLength: number; lastModified: string };
  };
}
