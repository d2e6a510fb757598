import type { Monitor } from '#main/monitoring/monitor-port.ts';
import type { ChannelTester } from '#main/notifications/channels/channel-tester.ts';
import type { OutboxPort } from '#main/notifications/outbox-port.ts';
import type { Mutex } from '#main/platform/mutex.ts';
import type { ConnectivityView } from '#main/self-monitoring/connectivity-port.ts';
import type { CheckSessions, TestSessions } from '#main/sessions/sessions-port.ts';
import type { Configuration } from '#main/store/configuration/configuration.ts';
import type { History } from '#main/store/history/history.ts';
import type { Clock } from '#shared/clock.ts';
import { AlertNotifications } from './alert-notifications.ts';
import { CheckAlerts } from './check-alerts.ts';
import { Snippets } from './snippets.ts';
import { Variables } from './variables.ts';

/** The stores and engines that services stand on; built once in the composition root. */
export interface Engines {
  clock: Clock;
  configuration: Configuration;
  history: History;
  monitor: Monitor;
  sessions: CheckSessions;
  testSessions: TestSessions;
  channels: ChannelTester;
  /** Whether the monitor itself is online. */
  connectivity: { view(): ConnectivityView };
  outbox: Pick<OutboxPort, 'resend'>;
  /** Changes that may stand in each other's way wait for each other, by key. */
  mutex: Mutex;
}

/** What the product can do, by resource: the API, the command line and the desktop call these. */
export interface Services {
  alertNotifications: AlertNotifications;
  checkAlerts: CheckAlerts;
  snippets: Snippets;
  variables: Variables;
}

export function createServices(engines: Engines): Services {
  return {
    alertNotifications: new AlertNotifications(engines),
    checkAlerts: new CheckAlerts(engines),
    snippets: new Snippets(engines),
    variables: new Variables(engines),
  };
}
