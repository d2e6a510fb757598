// Runs at the end of `npm ci`, for those who start Watchpost without `npm start`. On any Node from
// 20, so plain JavaScript; where the pinned Node is not there yet, ensure-installed.js does the work.
import { fileURLToPath } from 'node:url';
import { bundleLibraries, lookAtInstallation } from './installation.js';
import { buildRenderer } from './renderer-build.js';

const root = fileURLToPath(new URL('..', import.meta.url));
if (lookAtInstallation(root).hasNode)
  process.exitCode = bundleLibraries(root) || buildRenderer(root);
