import { z } from 'zod';

/**
 * What a check's `playwrightConfig` may set: how long things may take, and options of the page. What
 * concerns the test runner, as retries, reporters and projects do, is the monitor's own.
 */
const milliseconds = z.number().min(0).max(3_600_000);
const config = z.object({
  timeout: milliseconds.optional().catch(undefined),
  expect: z.object({ timeout: milliseconds.optional() }).optional().catch(undefined),
  use: z.record(z.string(), z.unknown()).optional().catch(undefined),
});

/** Options of fixtures that are handed on as they are. */
const OPTIONS = [
  ...['acceptDownloads', 'actionTimeout', 'baseURL', 'browserName', 'bypassCSP', 'channel'],
  ...['colorScheme', 'contextOptions', 'contrast', 'defaultBrowserType', 'deviceScaleFactor'],
  ...['extraHTTPHeaders', 'forcedColors', 'geolocation', 'hasTouch', 'httpCredentials'],
  ...['ignoreHTTPSErrors', 'isMobile', 'javaScriptEnabled', 'launchOptions', 'locale'],
  ...['navigationTimeout', 'offline', 'permissions', 'proxy', 'reducedMotion', 'screen'],
  ...['serviceWorkers', 'storageState', 'testIdAttribute', 'timezoneId', 'userAgent', 'viewport'],
];

export interface SpecConfig {
  /** Milliseconds of one test, and of one assertion that waits. */
  timeoutMs: number;
  expectTimeoutMs: number;
  use: Record<string, unknown>;
}

/** As Playwright has them. */
const TEST_TIMEOUT_MS = 30_000;
const EXPECT_TIMEOUT_MS = 5_000;

/**
 * The configuration of a run.
 *
 * @param wanted the check's `playwrightConfig`
 * @param wasFailing whether the run before failed, so that a success now is worth a trace
 */
export function specConfig(wanted: unknown, wasFailing: boolean): SpecConfig {
  const { timeout, expect, use = {} } = config.catch({}).parse(wanted ?? {});
  const options = Object.entries(use).filter(([name]) => OPTIONS.includes(name));
  return {
    timeoutMs: timeout ?? TEST_TIMEOUT_MS,
    expectTimeoutMs: expect?.timeout ?? EXPECT_TIMEOUT_MS,
    use: {
      ...Object.fromEntries(options),
      screenshot: screenshotOf(use.screenshot),
      trace: traceOf(use.trace, wasFailing),
      video: videoOf(use.video),
    },
  };
}

const modeOf = (option: unknown): unknown =>
  typeof option === 'object' && option !== null && 'mode' in option ? option.mode : option;

function screenshotOf(option: unknown): unknown {
  const mode = modeOf(option);
  const mayStay = mode === 'off' || mode === 'on' || mode === 'only-on-failure';
  return mayStay ? option : 'only-on-failure';
}

/** Pictures cost as much processor time again as all else in a trace, so that most have none. */
const WITHOUT_PICTURES = { screenshots: false, snapshots: true, sources: true };
const WITH_PICTURES = { screenshots: true, snapshots: true, sources: true };

/** A retry is a run of its own here: what asks for a trace of retries gets one of each failure. */
function traceOf(option: unknown, wasFailing: boolean): unknown {
  const mode = modeOf(option);
  if (mode === 'off') return 'off';
  const asked = typeof option === 'object' && option !== null ? option : WITH_PICTURES;
  if (mode === 'on') return { ...asked, mode: 'on' };
  if (wasFailing) return { ...WITH_PICTURES, mode: 'on' };
  return {
    ...(mode === 'retain-on-failure' ? asked : WITHOUT_PICTURES),
    mode: 'retain-on-failure',
  };
}

function videoOf(option: unknown): unknown {
  const mode = modeOf(option);
  if (mode === 'on' || mode === 'retain-on-failure') return option;
  const isOfRetries = typeof mode === 'string' && mode !== 'off';
  return isOfRetries ? 'retain-on-failure' : 'off';
}
