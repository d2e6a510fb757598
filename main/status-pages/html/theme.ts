import { createHash } from 'node:crypto';
import type { ThemeColors, ThemeColour } from '#shared/status-pages/page-members.ts';

/** The variable of the stylesheet that each colour of a page sets. */
const VARIABLES = {
  bodyBackgroundColor: 'background',
  headerBackgroundColor: 'header',
  headerFontColor: 'header-text',
  titleFontColor: 'title',
  bodyFontColor: 'text',
  bodyFontColorMuted: 'muted',
  navigationFontColor: 'navigation',
  linkFontColor: 'link',
  cardBackgroundColor: 'panel',
  borderColor: 'line',
  primaryButtonBackgroundColor: 'button',
  primaryButtonFontColor: 'button-text',
} as const satisfies Record<ThemeColour, string>;

/** What the schema lets through: the second look is for a file that somebody edited. */
const COLOUR = /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i;

/** The stylesheet of a page's own colours, and its address below the page: another one for other colours. */
export function theme({ light, dark }: ThemeColors): { name: string; css: string } {
  const rules = Object.entries(VARIABLES).flatMap(([name, variable]) => {
    const pair = [light, dark].map((palette) => palette[name as ThemeColour]);
    return pair.every((colour) => COLOUR.test(colour))
      ? [`--${variable}:light-dark(${pair.join(',')});`]
      : [];
  });
  const css = `:root{${rules.join('')}}\n`;
  const hash = createHash('sha256').update(css).digest('hex').slice(0, 8);
  return { name: `theme.css?${hash}`, css };
}
