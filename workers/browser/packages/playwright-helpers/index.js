// The place of `@checkly/playwright-helpers`.
const { test } = require('@playwright/test');

/**
 * Has the run count as degraded, unless it fails.
 * @param {string} [reason]
 */
exports.markCheckAsDegraded = (reason = '') => {
  test.info().annotations.push({ type: 'watchpost:degraded', description: String(reason) });
};
