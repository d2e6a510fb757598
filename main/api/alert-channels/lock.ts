/**
 * Changes of channels, and of the checks that subscribe to one, wait for each other: none is deleted
 * while a check comes to name it. Taken after the key of a check, never before it.
 */
export const CHANNELS = 'alert channels';
