import { mute } from './en/mute.ts';

/** The texts of muting, which are loaded with the screens that mute and not before. */
export const muteText = mute;
