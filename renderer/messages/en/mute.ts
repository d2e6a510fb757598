/** How something is muted, and until when. */
export const mute = {
  mute: 'Mute',
  unmute: 'Unmute',
  ends: {
    hour: 'For 1 hour',
    tomorrow: 'Until tomorrow, 9:00',
    never: 'Until I unmute',
  },
  mutedUntil: (time: string) => `Muted until ${time}`,
  muted: 'Muted',
  nobodyTold: ': nobody is told of its alerts.',
  byGroup: (group: string) => `Muted with its group ${group}: nobody is told of its alerts.`,
  isMuted: (name: string) => `${name} is muted.`,
  isMutedUntil: (name: string, time: string) => `${name} is muted until ${time}.`,
  isUnmuted: (name: string) => `${name} is not muted any more.`,
};
