import type { ComponentProps, Ref } from 'react';
import { muteText } from '#renderer/messages/mute.ts';
import { Button } from '#renderer/parts/button.tsx';
import { Menu, MenuItem } from '#renderer/parts/menu.tsx';
import { endOf, MUTE_ENDS } from './mute-ends.ts';

interface MuteMenuProps {
  trigger: ComponentProps<typeof Menu>['trigger'];
  /** @param until epoch ms; null: until somebody unmutes */
  onMute(until: number | null): void;
}

/** Offers how long something is to be muted. */
export function MuteMenu({ trigger, onMute }: MuteMenuProps) {
  return (
    <Menu align="end" trigger={trigger}>
      {MUTE_ENDS.map((end) => (
        <MenuItem key={end} onSelect={() => onMute(endOf(end, Date.now()))}>
          {muteText.ends[end]}
        </MenuItem>
      ))}
    </Menu>
  );
}

interface MuteButtonProps extends Pick<MuteMenuProps, 'onMute'> {
  isMuted: boolean;
  onUnmute(): void;
  /** Of the button that opens the menu, for a key that presses it. */
  ref?: Ref<HTMLButtonElement>;
}

/** Mutes for a time that a menu offers, or unmutes. */
export function MuteButton({ isMuted, onMute, onUnmute, ref }: MuteButtonProps) {
  if (isMuted) return <Button onClick={onUnmute}>{muteText.unmute}</Button>;
  return <MuteMenu onMute={onMute} trigger={<Button ref={ref}>{muteText.mute}</Button>} />;
}
