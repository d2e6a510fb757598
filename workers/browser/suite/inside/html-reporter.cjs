'use strict';

const { sep } = require('node:path');

/**
 * Playwright's own reporter of HTML, so that there is a report without the project asking for one.
 * Undefined where the project has one, and where this version of Playwright keeps it elsewhere. Where it
 * writes to is said by variables.
 */
function htmlReporter({ reporter, configFile }) {
  if (reporter?.some(([name]) => name === 'html')) return undefined;
  const Reporter = reporterClass();
  const configDir = configFile ? require('node:path').dirname(configFile) : process.cwd();
  return Reporter && new Reporter({ configDir, open: 'never', _mode: 'test' });
}

/** The class is in a file that the running Playwright has loaded: of its own, or with everything else. */
function reporterClass() {
  const loaded = Object.entries(require.cache);
  const endsIn = (...path) => {
    const end = sep + path.join(sep);
    return loaded.find(([file]) => file.endsWith(end))?.[1]?.exports;
  };
  const found =
    endsIn('lib', 'reporters', 'html.js') ??
    endsIn('playwright', 'lib', 'runner', 'index.js')?.html;
  return typeof found?.default === 'function' ? found.default : undefined;
}

module.exports = { htmlReporter };
