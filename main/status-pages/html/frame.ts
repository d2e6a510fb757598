import { ASSETS } from '../assets/assets.ts';
import { type Html, html } from './html.ts';
import { ICON_SPRITE } from './icons.ts';

/** A document around its parts: a status page, a dashboard, a form. */
export interface Frame {
  title: string;
  description?: string | null;
  /** What the document follows until the reader chooses another. */
  theme?: 'AUTO' | 'LIGHT' | 'DARK';
  /** Where `assets/` is, relative to the document's address, with a slash at its end. */
  root: string;
  /** Whether search engines are to pass it over. */
  isUnlisted?: boolean;
  /** Further elements of the head: feeds, an icon, the stylesheet of the page's own colours. */
  head?: Html;
  header: Html;
  main: Html;
  footer?: Html;
  /** Who made the page, in its last words. */
  maker?: string;
}

/** The whole document: header, main and footer within the column that all pages share. */
export function frame(parts: Frame): Html {
  const { title, description, root, head, header, main, footer } = parts;
  return html`<!doctype html>
<html lang="en"${themeOf(parts)}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
${description && html`<meta name="description" content="${description}">\n`}${
  parts.isUnlisted && html`<meta name="robots" content="noindex">\n`
}<link rel="stylesheet" href="${root}assets/${ASSETS.style.name}">
${head}<script src="${root}assets/${ASSETS.script.name}"></script>
</head>
<body>
${ICON_SPRITE}
<header class="site"><div class="column">${header}</div></header>
<main class="column">${main}</main>
<footer class="foot"><div class="column">${footer}<div class="end">${THEMES}${parts.maker !== undefined && html`<span>${parts.maker}</span>`}</div></div></footer>
</body>
</html>
`;
}

/** Shown by the script, which makes it work. */
const THEMES = html`<div class="themes" role="group" aria-label="Colours" hidden><button type="button" data-choice="auto">Auto</button><button type="button" data-choice="light">Light</button><button type="button" data-choice="dark">Dark</button></div>`;

function themeOf({ theme = 'AUTO' }: Frame): Html | false {
  return theme !== 'AUTO' && html` data-theme="${theme.toLowerCase()}"`;
}

/** Nothing else of a host stands in a policy, where a semicolon would begin a rule. */
const ORIGIN = /^https?:\/\/[a-z0-9.:[\]-]+$/i;

/**
 * What a document may load and send: its own scripts, styles and forms, and images of its own and of these
 * addresses. As a header or a meta element.
 */
export function contentPolicy(imageAddresses: readonly (string | null)[] = []): string {
  const origins = imageAddresses
    .map((address) => (address !== null && URL.canParse(address) ? new URL(address).origin : ''))
    .filter((origin) => ORIGIN.test(origin));
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    ['img-src', "'self'", ...new Set(origins)].join(' '),
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
  ].join('; ');
}

/** The headers of a document. Without its referrer, a browser would not name the origin of a form. */
export function documentHeaders(imageAddresses: readonly (string | null)[] = []) {
  return {
    'content-security-policy': `${contentPolicy(imageAddresses)}; frame-ancestors 'none'`,
    'referrer-policy': 'same-origin',
  };
}
