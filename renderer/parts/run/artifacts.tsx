import type { Answer } from '#renderer/api/client.ts';
import { resultText } from '#renderer/messages/result.ts';
import { Panel } from '#renderer/parts/panel.tsx';
import styles from './run.module.css';

const words = resultText;

/** A file that a run left, with the link that opens it. */
export type Asset =
  Answer<'GET /v1/check-results/{checkId}/{checkResultId}/assets'>['assets'][number];

/** What a run left: pictures and videos are shown, traces open in their viewer, reports and files by their links. */
export function Artifacts({ assets }: { assets: readonly Asset[] }) {
  const of = (type: Asset['type']) => assets.filter((asset) => asset.type === type);
  const [screenshots, videos] = [of('screenshot'), of('video')];
  const others = assets.filter(
    ({ type, name }) =>
      type !== 'screenshot' && type !== 'video' && (type !== 'report' || isPage(name)),
  );
  return (
    <Panel title={words.artifacts}>
      {(screenshots.length > 0 || videos.length > 0) && (
        <ul className={styles.pictures}>
          {screenshots.map((asset) => (
            <li key={asset.name}>
              <a href={ownUrl(asset)} target="_blank" rel="noreferrer">
                <img src={ownUrl(asset)} alt={words.screenshot(asset.name)} loading="lazy" />
              </a>
              <span className={styles.faint}>{asset.name}</span>
            </li>
          ))}
          {videos.map((asset) => (
            <li key={asset.name}>
              {/* biome-ignore lint/a11y/useMediaCaption: what a browser was recorded doing has no words */}
              <video src={ownUrl(asset)} controls preload="metadata" aria-label={asset.name} />
              <span className={styles.faint}>{asset.name}</span>
            </li>
          ))}
        </ul>
      )}
      <ul className={styles.files}>
        {others.map((asset) => (
          <li key={asset.name}>
            <a href={linkOf(asset)} target="_blank" rel="noreferrer">
              {asset.type === 'trace' ? words.openTrace(asset.name) : asset.name}
            </a>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function isPage(name: string): boolean {
  return /(?:^|\/)index\.html$/.test(name);
}

/** At the address that this page was loaded from: its policy takes nothing from another one. */
function ownUrl({ url }: Asset): string {
  const { pathname, search } = new URL(url);
  return `${location.origin}${pathname}${search}`;
}

function linkOf(asset: Asset): string {
  const url = ownUrl(asset);
  return asset.type === 'trace' ? `/trace-viewer/index.html?trace=${encodeURIComponent(url)}` : url;
}
