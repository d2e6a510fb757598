import { z } from 'zod';

/** Members of a status page that must never become markup, style or a header of somebody else's. */

/** Words that pages below `/status/` and ours use themselves. */
const RESERVED = new Set([
  'api',
  'app',
  'assets',
  'docs',
  'feed',
  'healthz',
  'status',
  'v1',
  'www',
]);

/** One part of an address; stored in lower case. */
export const urlWord = z
  .string()
  .max(63)
  .toLowerCase()
  .regex(/^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/, {
    error: 'expected letters, digits and hyphens, such as "acme"',
  });

/** The part of a page's address that is its own. */
export const slug = urlWord.refine((text) => !RESERVED.has(text), {
  error: 'expected another word: this one is reserved',
});

/** The name of a host that a page answers at; stored in lower case. */
export const hostName = z
  .string()
  .max(253)
  .toLowerCase()
  .regex(
    /^(?=.{1,253}$)(?!\d+(?:\.\d+){3}$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)+$/,
    {
      error: 'expected a host name such as status.example.com',
    },
  );

const MAX_ADDRESS = 2_048;

/** An http or https URL without a user name or password. */
export const webAddress = z
  .string()
  .max(MAX_ADDRESS)
  .refine(isWebAddress, { error: 'expected an http or https URL', abort: true });

const IMAGE_ENDING = /\.(?:png|jpe?g|gif|webp|avif|svg|ico|bmp)$/i;
const ANY_ENDING = /\.[a-z0-9]{1,8}$/i;

/** The URL of an image: its path ends as images do, or has no ending at all. */
export const imageAddress = webAddress.refine(isImage, {
  error: 'expected the URL of an image, such as https://example.com/logo.png',
});

function isWebAddress(text: string): boolean {
  if (/[\s"'<>\\]|\p{Cc}/u.test(text) || !URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return /^https?:$/.test(protocol) && username === '' && password === '';
}

function isImage(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { pathname } = new URL(text);
  return IMAGE_ENDING.test(pathname) || !ANY_ENDING.test(pathname);
}

/** `#RGB` or `#RRGGBB`; stored in upper case. */
const colour = z
  .string()
  .toUpperCase()
  .regex(/^#(?:[0-9A-F]{3}|[0-9A-F]{6})$/, { error: 'expected a colour such as #1A2B3C' });

/** What can be coloured, in the order of the specification (2.11). */
export const THEME_COLOURS = [
  'bodyBackgroundColor',
  'headerBackgroundColor',
  'headerFontColor',
  'titleFontColor',
  'bodyFontColor',
  'bodyFontColorMuted',
  'navigationFontColor',
  'linkFontColor',
  'cardBackgroundColor',
  'borderColor',
  'primaryButtonBackgroundColor',
  'primaryButtonFontColor',
] as const;
export type ThemeColour = (typeof THEME_COLOURS)[number];

const palette = z.object(
  Object.fromEntries(THEME_COLOURS.map((name) => [name, colour])) as Record<
    ThemeColour,
    typeof colour
  >,
);

/** Both palettes, every colour of each. */
export const themeColors = z.object({ light: palette, dark: palette });
export type ThemeColors = z.output<typeof themeColors>;
