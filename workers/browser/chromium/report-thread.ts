import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { chromium } from 'playwright-core';
import type { ChromiumQuestion, ChromiumReport } from '#shared/runs/chromium-report.ts';
import type { FoundChromium } from '#shared/runs/protocol.ts';
import { findFfmpeg } from '../find-ffmpeg.ts';
import { findChromium, thisMachine } from './find-chromium.ts';
import { chromiumPackage, programOf, unpackedChromium } from './packaged.ts';
import { reasonOf } from './start-reason.ts';

/** A healthy one takes a second of a busy machine. */
const START_MS = 20_000;

/** Tells whoever asks what a run would use. Nothing stays of it: what must be unpacked goes again. */
async function report({ search, needsWindow }: ChromiumQuestion): Promise<ChromiumReport> {
  const folder = await mkdtemp(join(tmpdir(), 'wp-'));
  const packaged = async (cacheFolder: string) => {
    const installed = chromiumPackage();
    if (installed === null) return null;
    const made = programOf(installed, cacheFolder);
    return existsSync(made) ? made : unpackedChromium(installed, folder);
  };
  try {
    const { found, tried } = await findChromium(search, needsWindow, { ...thisMachine, packaged });
    const ffmpeg = await findFfmpeg();
    return { found, tried, ffmpeg, ...(await started(found)) };
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function started(found: FoundChromium | null) {
  if (found === null) return { version: null, refusal: null };
  try {
    const { path: executablePath, args } = found;
    const options = { executablePath, args: [...args], timeout: START_MS };
    await using browser = await chromium.launch(options);
    return { version: browser.version(), refusal: null };
  } catch (error) {
    return { version: null, refusal: reasonOf((error as Error).message) };
  }
}

parentPort?.postMessage(await report(workerData));
