import { useNavigate } from '@tanstack/react-router';
import { Command } from 'cmdk';
import { useState } from 'react';
import { useStore } from '#renderer/api/store.ts';
import { text } from '#renderer/messages/messages.ts';
import { Dialog } from '#renderer/parts/dialog.tsx';
import { commandsStore } from './commands.ts';
import { PLACES } from './navigation.ts';
import styles from './palette.module.css';
import { type Choice, useCheckChoices } from './palette-checks.ts';
import { SETTINGS_PAGES } from './settings/settings-pages.ts';

/** Goes to any place, and runs what the open screen offers. */
export function Palette({ isOpen, onClose }: { isOpen: boolean; onClose(): void }) {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={text.shell.palette} isPalette>
      <Choices onClose={onClose} />
    </Dialog>
  );
}

const MAX_SHOWN = 50;

function Choices({ onClose }: { onClose(): void }) {
  const [query, setQuery] = useState('');
  const choices = useChoices();
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const ofChecks = useCheckChoices(words);
  const found = [
    ...choices
      .map((choice) => ({ choice, rank: rankOf(choice, words) }))
      .filter(({ rank }) => rank > 0)
      .toSorted((one, other) => other.rank - one.rank)
      .map(({ choice }) => choice),
    ...ofChecks,
  ].slice(0, MAX_SHOWN);
  return (
    <Command shouldFilter={false} label={text.shell.palette}>
      <Command.Input
        className={styles.input}
        value={query}
        onValueChange={setQuery}
        placeholder={text.shell.search}
      />
      <Command.List className={styles.list}>
        <Command.Empty className={styles.empty}>{text.shell.nothingFound}</Command.Empty>
        {found.map(({ id, label, note, run }) => (
          <Command.Item
            key={id}
            value={id}
            className={styles.item}
            onSelect={() => {
              onClose();
              run();
            }}
          >
            <span className={styles.label}>{label}</span>
            {note !== undefined && <span className={styles.note}>{note}</span>}
          </Command.Item>
        ))}
      </Command.List>
    </Command>
  );
}

function useChoices(): Choice[] {
  const navigate = useNavigate();
  const commands = useStore(commandsStore).flat();
  return [
    ...commands.map(({ label, run }) => ({ id: `command ${label}`, label, run })),
    ...[...PLACES, ...SETTINGS_PAGES].map(({ to, label }) => ({
      id: `place ${to}`,
      label,
      note: text.shell.place,
      run: () => void navigate({ to }),
    })),
  ];
}

/** 0: not all words are in it; more where they begin it, or one of its words. Of such alike, pages come before commands. */
function rankOf({ label, note }: Choice, words: readonly string[]): number {
  const name = label.toLowerCase();
  if (!words.every((word) => name.includes(word))) return 0;
  const [first] = words;
  if (first === undefined) return 1;
  const place = note === text.shell.place ? 0.5 : 0;
  if (name.startsWith(first)) return 3 + place;
  return (name.includes(` ${first}`) ? 2 : 1) + place;
}
