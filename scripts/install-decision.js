/**
 * What is known of an installation. Times are epoch milliseconds, hashes hex SHA-256.
 * @typedef {object} InstallFacts
 * @property {boolean} hasFolder whether node_modules is there.
 * @property {boolean} hasNode whether the pinned Node is in it and runs.
 * @property {string} lockHash hash of package-lock.json.
 * @property {string | null} stampHash hash that the last installation of ours left.
 * @property {number} lockTimeMs when package-lock.json changed.
 * @property {number | null} installedTimeMs when npm last finished an installation.
 */

/**
 * Why the packages have to be installed, as a clause; null where what is there will do.
 * An installation made by hand with npm counts too: npm leaves a file when it is done.
 * @param {InstallFacts} facts
 * @returns {string | null}
 */
export function reasonToInstall(facts) {
  if (!facts.hasFolder) return 'node_modules is missing';
  if (facts.stampHash !== facts.lockHash && !madeByHand(facts)) {
    return facts.stampHash === null && facts.installedTimeMs === null
      ? 'the last installation did not finish'
      : 'package-lock.json has changed since the last installation';
  }
  return facts.hasNode ? null : 'the Node that Watchpost runs on is missing';
}

/** @param {InstallFacts} facts */
function madeByHand({ installedTimeMs, lockTimeMs }) {
  return installedTimeMs !== null && installedTimeMs >= lockTimeMs;
}
