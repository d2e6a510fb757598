import { useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useLayoutEffect, useState } from 'react';
import { text } from '#renderer/messages/messages.ts';
import { useCommands } from './commands.ts';
import { listenToKeys, useKeys } from './keys.ts';

const Palette = lazy(async () => ({ default: (await import('./palette.tsx')).Palette }));
const KeysDialog = lazy(async () => ({ default: (await import('./keys-dialog.tsx')).KeysDialog }));

type Open = 'palette' | 'keys' | null;

/** What opens over any screen by a key. Each is loaded when it is opened first. */
export function Overlays() {
  const [open, setOpen] = useState<Open>(null);
  const [wasOpen, setWasOpen] = useState<ReadonlySet<Open>>(new Set());
  const show = (which: Open) => {
    setOpen(which);
    setWasOpen((before) => new Set([...before, which]));
  };
  useLayoutEffect(() => {
    const onAsked = () => show('palette');
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
    { key: 'mod+k', label: text.shell.palette, run: () => show('palette') },
    { key: '?', label: text.shell.keys, run: () => show('keys') },
    { key: 'n', label: text.shell.newCheck, run: create },
  ]);
  const close = () => setOpen(null);
  return (
    <Suspense>
      {wasOpen.has('palette') && <Palette isOpen={open === 'palette'} onClose={close} />}
      {wasOpen.has('keys') && <KeysDialog isOpen={open === 'keys'} onClose={close} />}
    </Suspense>
  );
}

const ASK_PALETTE = 'watchpost-palette';

/** For whoever has no keyboard. */
export function openPalette(): void {
  dispatchEvent(new Event(ASK_PALETTE));
}
