import { settingsAbout } from './en/settings-about.ts';
import { settingsHealth } from './en/settings-health.ts';
import { settingsKeys } from './en/settings-keys.ts';

/** The texts of the pages about the appliance itself, which are loaded with them and not before. */
export const aboutText = settingsAbout;
export const healthText = settingsHealth;
export const keysText = settingsKeys;
