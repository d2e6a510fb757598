import { CHECK_KINDS, type Check, type CheckOf, type CheckType } from '#shared/checks/check.ts';
import { DOUBLE_CHECK } from '#shared/runs/retry.ts';
import type { ApiCheckDefaults, Group } from './group.ts';

/** The group that a check is in; one that is gone counts as none. */
export function groupOf(
  { groupId }: Pick<Check, 'groupId'>,
  groups: { get(id: string): Group | undefined },
): Group | undefined {
  return groupId === null ? undefined : groups.get(String(groupId));
}

/**
 * A check with the settings of its group merged in: what runs, and what reads with "group settings
 * applied" show. The setup and teardown scripts of the group are not among them:
 * they run beside the check's.
 */
export function withGroup<C extends Check>(check: C, group: Group | undefined): C {
  if (group === undefined) return check;
  return {
    ...check,
    activated: check.activated && group.activated,
    muted: check.muted || group.muted,
    tags: tagsOf(check, group),
    ...('runtimeId' in check && { runtimeId: check.runtimeId ?? group.runtimeId }),
    ...placesOf(check, group),
    ...alertsOf(group),
    ...retriesOf(check, group),
    ...variablesOf(check, group),
    ...requestOf(check, group),
  };
}

/** The tags that a check is found by: its own, then those of its group. */
export function tagsOf({ tags }: Pick<Check, 'tags'>, group: Group | undefined): string[] {
  return group === undefined ? tags : [...new Set([...tags, ...group.tags])];
}

/** What `{{GROUP_BASE_URL}}` stands for; undefined where there is nothing to say. */
export function groupBaseUrl(group: Group | undefined): string | undefined {
  return group?.apiCheckDefaults.url?.trim() || undefined;
}

/** Whether checks of a type have a member. */
function has(checkType: CheckType, member: string): boolean {
  return member in CHECK_KINDS[checkType].fields;
}

/** Where checks run: lists that are not empty replace theirs; `runParallel` is left to them where unset or `null`. */
function placesOf({ checkType }: Check, { locations, privateLocations, runParallel }: Group) {
  const isReplaced = privateLocations?.length && has(checkType, 'privateLocations');
  return {
    ...(locations.length > 0 && { locations }),
    ...(isReplaced && { privateLocations }),
    ...(typeof runParallel === 'boolean' && { runParallel }),
  };
}

/**
 * How checks alert: as they say themselves where the group has neither settings nor a word on those
 * of the account; else the group decides, also who is told.
 */
function alertsOf(group: Group) {
  if (!decidesAlerts(group)) return {};
  const { useGlobalAlertSettings, alertSettings, alertChannelSubscriptions } = group;
  return {
    useGlobalAlertSettings: useGlobalAlertSettings ?? false,
    ...(alertSettings !== null && { alertSettings }),
    alertChannelSubscriptions,
  };
}

function decidesAlerts({ useGlobalAlertSettings, alertSettings }: Group): boolean {
  return useGlobalAlertSettings !== null || alertSettings !== null;
}

/** The ids of the channels that a check alerts; subscriptions that are switched off count for nothing. */
export function alertedChannels(
  check: Pick<Check, 'alertChannelSubscriptions'>,
  group: Group | undefined,
): ReadonlySet<number> {
  const { alertChannelSubscriptions } = group && decidesAlerts(group) ? group : check;
  const counting = alertChannelSubscriptions.filter(({ activated }) => activated);
  return new Set(counting.map(({ alertChannelId }) => alertChannelId));
}

/** A group without a strategy is one of v1: its `doubleCheck` decides, never that of the check. */
function retriesOf({ checkType }: Check, { retryStrategy, doubleCheck }: Group) {
  if (retryStrategy === 'FALLBACK' || !has(checkType, 'retryStrategy')) return {};
  if (retryStrategy !== undefined) return { retryStrategy };
  return { retryStrategy: doubleCheck ? DOUBLE_CHECK : null };
}

function variablesOf(check: Check, { environmentVariables }: Group) {
  if (!environmentVariables?.length || !has(check.checkType, 'environmentVariables')) return {};
  const own = 'environmentVariables' in check ? (check.environmentVariables ?? []) : [];
  return { environmentVariables: united(own, environmentVariables, ({ key }) => key) };
}

type ApiRequest = CheckOf<'API'>['request'];

function requestOf(check: Check, { apiCheckDefaults }: Group) {
  return check.checkType === 'API'
    ? { request: mergedRequest(check.request, apiCheckDefaults) }
    : {};
}

function mergedRequest(request: ApiRequest, defaults: ApiCheckDefaults): ApiRequest {
  const { headers, queryParameters, assertions, basicAuth } = request;
  return {
    ...request,
    headers: united(headers, named(defaults.headers), ({ key }) => key.toLowerCase()),
    queryParameters: united(queryParameters, named(defaults.queryParameters), ({ key }) => key),
    assertions: [...assertions, ...defaults.assertions],
    basicAuth: saysWho(basicAuth) || !saysWho(defaults.basicAuth) ? basicAuth : defaults.basicAuth,
  };
}

/** The pairs that have a name: a group may hold empty ones. */
function named<T extends { key: string }>(pairs: readonly T[]): T[] {
  return pairs.filter(({ key }) => key !== '');
}

/** The group's items whose name the check does not have, then the check's own. */
function united<T>(own: readonly T[], given: readonly T[], nameOf: (item: T) => string): T[] {
  const names = new Set(own.map(nameOf));
  return [...given.filter((item) => !names.has(nameOf(item))), ...own];
}

/** Empty texts are what answers show where there is no basic authentication. */
function saysWho(basicAuth: { username: string; password: string } | null | undefined): boolean {
  return Boolean(basicAuth?.username || basicAuth?.password);
}
