import { availableParallelism } from 'node:os';
import envPaths from 'env-paths';
import {
  address,
  addressesAndRanges,
  apiKey,
  baseUrl,
  folderPath,
  folderPathOrNone,
  folderPaths,
  headers,
  host,
  hosts,
  hostsAndPorts,
  lineOfText,
  oneOf,
  programPath,
  ranges,
  rangesOrAll,
  uuid,
  type ValueSchema,
  wholeNumber,
  yesOrNo,
} from './schemas.ts';

/** The levels of the log, the most detailed first. */
export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

interface Flag {
  name: `--${string}`;
  placeholder: string;
}

/** What a setting is called. */
export interface SettingNames {
  /** In `config.json`. */
  name: string;
  env: `WATCHPOST_${string}`;
  /** Null where the value must not stand on a command line, which every user of a machine sees. */
  flag: Flag | null;
}

/** One thing that an operator can set. */
export interface Setting<T> extends Omit<SettingNames, 'name'> {
  value: ValueSchema<T>;
  /** What it was called in the version before; still read, and said so in the log. */
  formerly?: SettingNames;
  /** Whether `config.json` may hold it, under the setting's name. */
  inFile: boolean;
  /** Its value is never shown. */
  secret: boolean;
  default: T;
  /** What the documents say of the default, where the value says too little. */
  defaultText?: string;
  description: string;
}

function setting<T>(
  part: Omit<Setting<T>, 'inFile' | 'secret'> & Partial<Pick<Setting<T>, 'inFile' | 'secret'>>,
): Setting<T> {
  return { inFile: true, secret: false, ...part };
}

/** The one table of settings: reading, `--help` and docs/settings.md all come from it. */
export const SETTINGS = {
  dataDir: setting({
    value: folderPath,
    env: 'WATCHPOST_DATA_DIR',
    flag: { name: '--data-dir', placeholder: 'folder' },
    // The file lies in that folder.
    inFile: false,
    default: envPaths('watchpost', { suffix: '' }).data,
    defaultText: "the platform's usual place, such as ~/.local/share/watchpost",
    description: 'Folder that holds everything Watchpost keeps; made when missing.',
  }),
  host: setting({
    value: host,
    env: 'WATCHPOST_HOST',
    flag: { name: '--host', placeholder: 'host' },
    default: '127.0.0.1',
    description: 'Address to listen on.',
  }),
  port: setting({
    value: wholeNumber(0, 65_535),
    env: 'WATCHPOST_PORT',
    flag: { name: '--port', placeholder: 'number' },
    default: 8440,
    description: 'Port to listen on; 0 picks a free one.',
  }),
  apiKey: setting<string | null>({
    value: apiKey,
    env: 'WATCHPOST_API_KEY',
    flag: null,
    secret: true,
    default: null,
    defaultText: 'the first start makes a key and prints it once',
    description: 'Adds this API key; only its hash is kept.',
  }),
  accountId: setting<string | null>({
    value: uuid,
    env: 'WATCHPOST_ACCOUNT_ID',
    flag: { name: '--account-id', placeholder: 'uuid' },
    default: null,
    defaultText: 'made at the first start',
    description: 'Id of the account, which clients name in the account header.',
  }),
  chromium: setting<string | null>({
    value: programPath,
    env: 'WATCHPOST_CHROMIUM',
    flag: { name: '--chromium', placeholder: 'path' },
    default: null,
    defaultText: 'searched for',
    description: 'Browser that browser checks use.',
  }),
  browsersAtOnce: setting({
    value: wholeNumber(1, 1_000),
    env: 'WATCHPOST_BROWSERS',
    flag: { name: '--browsers', placeholder: 'number' },
    default: availableParallelism(),
    defaultText: "the number of this machine's processors",
    description:
      'Most runs of browser, multi-step and Playwright checks at once; others wait their turn, and while memory is short.',
  }),
  warmBrowsers: setting({
    value: yesOrNo,
    env: 'WATCHPOST_WARM_BROWSERS',
    flag: { name: '--warm-browsers', placeholder: 'yes' },
    default: true,
    description:
      'Whether the browser of a check that runs every few minutes stays for its next run, which saves a third of the processor time.',
  }),
  browserMemoryMegabytes: setting({
    value: wholeNumber(256, 1_000_000),
    env: 'WATCHPOST_BROWSER_MEMORY_MEGABYTES',
    flag: { name: '--browser-memory-megabytes', placeholder: 'number' },
    default: 2_764,
    description:
      'Megabytes that all processes of one such run may use together; beyond, it is killed.',
  }),
  browserSandbox: setting({
    value: oneOf(['prefer', 'require', 'off']),
    env: 'WATCHPOST_BROWSER_SANDBOX',
    flag: { name: '--browser-sandbox', placeholder: 'word' },
    default: 'prefer',
    description:
      'Whether such runs are closed in with bubblewrap, so that scripts see neither the files nor the processes of this machine. `prefer`: where it works; `require`: nothing runs without it; `off`: never.',
  }),
  playwrightFolders: setting<string[]>({
    value: folderPaths,
    env: 'WATCHPOST_PLAYWRIGHT_FOLDERS',
    flag: { name: '--playwright-folders', placeholder: 'folders' },
    default: [],
    defaultText: 'none',
    description: 'Folders below which the projects of Playwright checks may be.',
  }),
  logLevel: setting({
    value: oneOf(LOG_LEVELS),
    env: 'WATCHPOST_LOG',
    flag: { name: '--log', placeholder: 'level' },
    default: 'info',
    description: 'Least level of what is logged on standard error.',
  }),
  historyMegabytes: setting({
    value: wholeNumber(100, 100_000_000),
    env: 'WATCHPOST_HISTORY_MEGABYTES',
    flag: { name: '--history-megabytes', placeholder: 'number' },
    default: 10_240,
    description:
      'Room that results and all other history may take on the disk; beyond it the oldest results are removed before their days are over.',
  }),
  resultDays: setting({
    value: wholeNumber(2, 400),
    env: 'WATCHPOST_RESULT_DAYS',
    flag: { name: '--result-days', placeholder: 'days' },
    default: 30,
    description:
      'Days that results stay, with the alerts, notifications and sessions of that time.',
  }),
  heartbeatDays: setting({
    value: wholeNumber(2, 400),
    env: 'WATCHPOST_HEARTBEAT_DAYS',
    flag: { name: '--heartbeat-days', placeholder: 'days' },
    default: 30,
    description: 'Days that the events of heartbeats stay.',
  }),
  bodyDays: setting({
    value: wholeNumber(1, 400),
    env: 'WATCHPOST_BODY_DAYS',
    flag: { name: '--body-days', placeholder: 'days' },
    default: 30,
    description: 'Days that the bodies of results stay: requests, responses and logs.',
  }),
  bodyMegabytes: setting({
    value: wholeNumber(10, 100_000_000),
    env: 'WATCHPOST_BODY_MEGABYTES',
    flag: { name: '--body-megabytes', placeholder: 'number' },
    default: 2_048,
    description:
      'Room that bodies may take, at most half of all history; beyond it the oldest go, those of passing runs first.',
  }),
  artifactDays: setting({
    value: wholeNumber(1, 400),
    env: 'WATCHPOST_ARTIFACT_DAYS',
    flag: { name: '--artifact-days', placeholder: 'days' },
    default: 14,
    description: 'Days that screenshots, traces, videos and reports of runs stay.',
  }),
  artifactMegabytes: setting({
    value: wholeNumber(10, 100_000_000),
    env: 'WATCHPOST_ARTIFACT_MEGABYTES',
    flag: { name: '--artifact-megabytes', placeholder: 'number' },
    default: 5_120,
    description:
      'Room that they may take, beside the history; beyond it the oldest go, those of passing runs first.',
  }),
  rollUpDays: setting({
    value: wholeNumber(30, 4_000),
    env: 'WATCHPOST_ROLL_UP_DAYS',
    flag: { name: '--roll-up-days', placeholder: 'days' },
    default: 400,
    description:
      'Days that the sums of days stay, which analytics are made of once results are gone.',
  }),
  rateLimitPerMinute: setting({
    value: wholeNumber(1, 10_000_000),
    env: 'WATCHPOST_RATE_LIMIT',
    flag: { name: '--rate-limit', placeholder: 'requests' },
    default: 60_000,
    description: 'Requests a minute that each API key may make.',
  }),
  allowedHosts: setting<string[]>({
    value: hosts,
    env: 'WATCHPOST_ALLOWED_HOSTS',
    flag: { name: '--allowed-hosts', placeholder: 'hosts' },
    default: [],
    defaultText: 'none',
    description:
      'Host names that requests may name, besides IP addresses, localhost and the host listened on.',
  }),
  trustedProxies: setting<string[]>({
    value: addressesAndRanges,
    env: 'WATCHPOST_TRUSTED_PROXIES',
    flag: { name: '--trusted-proxies', placeholder: 'addresses' },
    default: [],
    defaultText: 'none',
    description:
      'Proxies in front of Watchpost whose X-Forwarded-For and X-Forwarded-Proto are believed, so that the rate limit tells clients apart.',
  }),
  publicUrl: setting<string | null>({
    value: baseUrl,
    env: 'WATCHPOST_PUBLIC_URL',
    flag: { name: '--public-url', placeholder: 'url' },
    default: null,
    defaultText: 'the address listened on',
    description: 'Address under which others reach Watchpost; ping URLs start with it.',
  }),
  openBrowser: setting({
    value: yesOrNo,
    env: 'WATCHPOST_OPEN_BROWSER',
    flag: { name: '--open-browser', placeholder: 'yes' },
    default: true,
    description:
      'Whether the start opens the interface in a browser, where it is started by hand on a desktop.',
  }),
  publicIpV4: setting<string | null>({
    value: address(4),
    env: 'WATCHPOST_PUBLIC_IP_V4',
    flag: { name: '--public-ip-v4', placeholder: 'address' },
    default: null,
    defaultText: 'none',
    description: 'What checks read in the variable PUBLIC_IP_V4.',
  }),
  publicIpV6: setting<string | null>({
    value: address(6),
    env: 'WATCHPOST_PUBLIC_IP_V6',
    flag: { name: '--public-ip-v6', placeholder: 'address' },
    default: null,
    defaultText: 'none',
    description: 'What checks read in the variable PUBLIC_IP_V6.',
  }),
  probeGateway: setting({
    value: yesOrNo,
    env: 'WATCHPOST_PROBE_GATEWAY',
    flag: { name: '--probe-gateway', placeholder: 'yes' },
    formerly: {
      name: 'canaryGateway',
      env: 'WATCHPOST_CANARY_GATEWAY',
      flag: { name: '--canary-gateway', placeholder: 'yes' },
    },
    default: true,
    description:
      'Whether the default gateway is asked when checks fail, to tell a dead network from dead targets.',
  }),
  probeResolvers: setting({
    value: yesOrNo,
    env: 'WATCHPOST_PROBE_RESOLVERS',
    flag: { name: '--probe-resolvers', placeholder: 'yes' },
    formerly: {
      name: 'canaryResolvers',
      env: 'WATCHPOST_CANARY_RESOLVERS',
      flag: { name: '--canary-resolvers', placeholder: 'yes' },
    },
    default: true,
    description: 'Whether the name servers of this machine are asked as well.',
  }),
  probeAnchors: setting<{ host: string; port: number }[]>({
    value: hostsAndPorts,
    env: 'WATCHPOST_PROBE_ANCHORS',
    flag: { name: '--probe-anchors', placeholder: 'host:port' },
    formerly: {
      name: 'canaryAnchors',
      env: 'WATCHPOST_CANARY_ANCHORS',
      flag: { name: '--canary-anchors', placeholder: 'host:port' },
    },
    default: [],
    defaultText: 'none',
    description: 'Ports that are served all the time, to be asked as well; two are a good choice.',
  }),
  offlineAlertAfterSeconds: setting({
    value: wholeNumber(1, 3_600),
    env: 'WATCHPOST_OFFLINE_ALERT_AFTER',
    flag: { name: '--offline-alert-after', placeholder: 'seconds' },
    formerly: {
      name: 'blindAlertAfterSeconds',
      env: 'WATCHPOST_BLIND_ALERT_AFTER',
      flag: { name: '--blind-alert-after', placeholder: 'seconds' },
    },
    default: 30,
    description:
      'Seconds that Watchpost must be offline itself before it says so; shorter times are not told.',
  }),
  denyRanges: setting<string[]>({
    value: ranges,
    env: 'WATCHPOST_DENY_RANGES',
    flag: { name: '--deny-ranges', placeholder: 'ranges' },
    default: [],
    defaultText: 'none',
    description:
      'Ranges of addresses that no check may reach, but for browser, multi-step and Playwright checks.',
  }),
  allowPrivateEgress: setting<true | string[]>({
    value: rangesOrAll,
    env: 'WATCHPOST_ALLOW_PRIVATE_EGRESS',
    flag: { name: '--allow-private-egress', placeholder: 'ranges' },
    default: [],
    defaultText: 'none: public addresses only',
    description: 'Private addresses that alerts may be sent to.',
  }),
  smtpHost: setting<string | null>({
    value: host,
    env: 'WATCHPOST_SMTP_HOST',
    flag: { name: '--smtp-host', placeholder: 'host' },
    default: null,
    defaultText: 'none: no e-mail is sent',
    description: 'Mail server that alerts are sent by.',
  }),
  smtpPort: setting({
    value: wholeNumber(1, 65_535),
    env: 'WATCHPOST_SMTP_PORT',
    flag: { name: '--smtp-port', placeholder: 'number' },
    default: 587,
    description: 'Its port.',
  }),
  smtpSecure: setting({
    value: yesOrNo,
    env: 'WATCHPOST_SMTP_SECURE',
    flag: { name: '--smtp-secure', placeholder: 'yes' },
    default: false,
    description:
      'TLS from the first byte, as on port 465; else STARTTLS where the server offers it.',
  }),
  smtpUser: setting<string | null>({
    value: lineOfText,
    env: 'WATCHPOST_SMTP_USER',
    flag: { name: '--smtp-user', placeholder: 'name' },
    default: null,
    defaultText: 'none: no login',
    description: 'User to log in as; only over TLS.',
  }),
  smtpPassword: setting<string | null>({
    value: lineOfText,
    env: 'WATCHPOST_SMTP_PASSWORD',
    flag: null,
    secret: true,
    default: null,
    defaultText: 'none',
    description: 'Password of that user.',
  }),
  smtpFrom: setting({
    value: lineOfText,
    env: 'WATCHPOST_SMTP_FROM',
    flag: { name: '--smtp-from', placeholder: 'address' },
    default: 'Watchpost <watchpost@localhost>',
    description: 'Sender of the mails.',
  }),
  twilioAccountSid: setting<string | null>({
    value: lineOfText,
    env: 'WATCHPOST_TWILIO_ACCOUNT_SID',
    flag: { name: '--twilio-account-sid', placeholder: 'sid' },
    default: null,
    defaultText: 'none: no SMS and no calls',
    description: 'Account at Twilio, the gateway for SMS and calls.',
  }),
  twilioToken: setting<string | null>({
    value: lineOfText,
    env: 'WATCHPOST_TWILIO_TOKEN',
    flag: null,
    secret: true,
    default: null,
    defaultText: 'none',
    description: 'Token of that account.',
  }),
  twilioFrom: setting<string | null>({
    value: lineOfText,
    env: 'WATCHPOST_TWILIO_FROM',
    flag: { name: '--twilio-from', placeholder: 'number' },
    default: null,
    defaultText: 'none',
    description: 'Number that SMS and calls come from.',
  }),
  twilioUrl: setting({
    value: baseUrl,
    env: 'WATCHPOST_TWILIO_URL',
    flag: { name: '--twilio-url', placeholder: 'url' },
    default: 'https://api.twilio.com',
    description: 'Where the gateway answers; another one may speak as Twilio does.',
  }),
  slackToken: setting<string | null>({
    value: lineOfText,
    env: 'WATCHPOST_SLACK_TOKEN',
    flag: null,
    secret: true,
    default: null,
    defaultText: 'none: no channels of type SLACK_APP',
    description: 'Token of the bot of your own Slack app.',
  }),
  otlpEndpoint: setting<string | null>({
    value: baseUrl,
    env: 'WATCHPOST_OTLP_ENDPOINT',
    flag: { name: '--otlp-endpoint', placeholder: 'url' },
    default: null,
    defaultText: 'none: metrics are only scraped',
    description: 'OpenTelemetry collector that metrics are sent to, without /v1/metrics.',
  }),
  otlpHeaders: setting({
    value: headers,
    env: 'WATCHPOST_OTLP_HEADERS',
    flag: null,
    secret: true,
    default: {},
    defaultText: 'none',
    description: 'Headers that it wants, such as authorization=Bearer ….',
  }),
  otlpIntervalSeconds: setting({
    value: wholeNumber(10, 3_600),
    env: 'WATCHPOST_OTLP_INTERVAL_SECONDS',
    flag: { name: '--otlp-interval-seconds', placeholder: 'number' },
    default: 60,
    description: 'Seconds from one sending of metrics to the next.',
  }),
  stormAlerts: setting({
    value: wholeNumber(0, 1_000),
    env: 'WATCHPOST_STORM_ALERTS',
    flag: { name: '--storm-alerts', placeholder: 'number' },
    default: 5,
    description:
      'More alerts than this within 10 s on one channel are told in one message; 0: each by itself.',
  }),
  messagesPerMinute: setting({
    value: wholeNumber(1, 10_000),
    env: 'WATCHPOST_MESSAGES_PER_MINUTE',
    flag: { name: '--messages-per-minute', placeholder: 'number' },
    default: 10,
    description: 'Messages a minute on each channel; what is beyond waits and goes in one message.',
  }),
  statusExportDir: setting({
    value: folderPathOrNone,
    env: 'WATCHPOST_STATUS_EXPORT_DIR',
    flag: { name: '--status-export-dir', placeholder: 'folder' },
    default: null,
    defaultText: 'none: nothing is written',
    description:
      'Folder that status pages are written to as plain files, for any web server; private pages are not.',
  }),
  subscriberMailsPerMinute: setting({
    value: wholeNumber(1, 10_000),
    env: 'WATCHPOST_SUBSCRIBER_MAILS_PER_MINUTE',
    flag: { name: '--subscriber-mails-per-minute', placeholder: 'number' },
    default: 60,
    description: 'Mails a minute to all subscribers of status pages; alerts do not count.',
  }),
} satisfies Record<string, Setting<unknown>>;

/** The name of a setting, as `config.json` has it. */
export type SettingName = keyof typeof SETTINGS;

/** Every setting with its value: what the appliance is started with. */
export type Settings = {
  [N in SettingName]: (typeof SETTINGS)[N] extends Setting<infer T> ? T : never;
};

/** What a setting is called, and then what it was called before. */
export function namesOf(name: SettingName): SettingNames[] {
  const { env, flag, formerly } = SETTINGS[name] as Setting<unknown>;
  return [{ name, env, flag }, ...(formerly ? [formerly] : [])];
}

/** The names of all settings, in the table's order. */
export const SETTING_NAMES = Object.keys(SETTINGS) as SettingName[];
