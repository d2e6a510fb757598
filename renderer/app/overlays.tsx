import { useNavigate } from '@tanstack/react-router';
import { useLayoutEffect, useState } from 'react';
import { text } from '#renderer/messages/messages.ts';
import { createLate, useLate } from '#renderer/parts/late.ts';
import { useCommands } from './commands.ts';
import { listenToKeys, useKeys } from './keys.ts';

const palette = createLate(() => import('./palette.tsx'));
const keysDialog = createLate(() => import('./keys-dialog.tsx'));

type Open = 'palette' | 'keys' | null;

/** What opens over any screen by a key. */
export function Overlays() {
  const [open, setOpen] = useState<Open>(null);
  const Palette = useLate(palette, open === 'palette')?.Palette;
  const KeysDialog = useLate(keysDialog, open === 'keys')?.KeysDialog;
  useLayoutEffect(() => {
    const onAsked = () => setOpen('palette');
    addEventListener(ASK_PALETTE, onAsked);
    const stop = listenToKeys();
    return () => {
      stop();
      removeEventListener(ASK_PALETTE, onAsked);
    };
  });
  const navigate = useNavigate();
  const create = () => void navigate({ to: '/checks/new' });
  const createGroup = () => void navigate({ to: '/groups/$groupId', params: { groupId: 'new' } });
  useCommands([
    { label: text.shell.newCheck, run: create },
    { label: text.shell.newGroup, run: createGroup },
  ]);
  useKeys([
    { key: 'mod+k', label: text.shell.palette, run: () => setOpen('palette') },
    { key: '?', label: text.shell.keys, run: () => setOpen('keys') },
    { key: 'n', label: text.shell.newCheck, run: create },
  ]);
  const close = () => setOpen(null);
  return (
    <>
      {Palette && <Palette isOpen={open === 'palette'} onClose={close} />}
      {KeysDialog && <KeysDialog isOpen={open === 'keys'} onClose={close} />}
    </>
  );
}

const ASK_PALETTE = 'watchpost-palette';

/** For whoever has no keyboard. */
export function openPalette(): void {
  dispatchEvent(new Event(ASK_PALETTE));
}
