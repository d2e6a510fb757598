// Runs at the end of `npm ci`, for those who start Watchpost without `npm start`. On any Node from
// 20, so plain JavaScript; where the pinned Node is not there yet, ensure-installed.js does the work.
import { fileURLToPath } from 'node:url';
import { APPLIANCE, RENDERER } from '../main/platform/builds.js';
import { bundleLibraries, ensureBuild, lookAtInstallation } from './installation.js';

const root = fileURLToPath(new URL('..', import.meta.url));
if (lookAtInstallation(root).hasNode)
  process.exitCode =
    bundleLibraries(root) || ensureBuild(root, APPLIANCE) || ensureBuild(root, RENDERER);
