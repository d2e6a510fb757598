import { channels } from './en/channels.ts';
import { firstMinute } from './en/first-minute.ts';
import { settingsAlerting } from './en/settings-alerting.ts';
import { settingsChannels } from './en/settings-channels.ts';

/** The texts of what is seldom opened: they are loaded with it and not before. */
export const channelText = channels;
export const channelsPageText = settingsChannels;
export const alertingText = settingsAlerting;
export const firstMinuteText = firstMinute;
