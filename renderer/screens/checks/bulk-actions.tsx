import { useNavigate } from '@tanstack/react-router';
import { Bell, BellOff, type LucideIcon, Pause, Play, Tag, Trash2, X, Zap } from 'lucide-react';
import { type ComponentProps, type FormEvent, useState } from 'react';
import {
  addTag,
  deleteChecks,
  muteUntil,
  runChecks,
  setActivated,
  setMuted,
} from '#renderer/app/act-on-checks.ts';
import { useCommands } from '#renderer/app/commands.ts';
import { text } from '#renderer/messages/messages.ts';
import { Button } from '#renderer/parts/button.tsx';
import { Dialog, DialogActions } from '#renderer/parts/dialog.tsx';
import { TextField } from '#renderer/parts/field.tsx';
import { MuteMenu } from '#renderer/parts/mute/mute-button.tsx';
import type { KnownChecks } from '#shared/summaries/apply-events.ts';
import styles from './bulk-actions.module.css';

interface BulkActionsProps {
  /** At least one. */
  ids: readonly string[];
  known: KnownChecks;
  onDone(): void;
}

const { bulk } = text.checks;

interface Action {
  label: string;
  icon: LucideIcon;
  run(): void;
  /** Its button offers how long. */
  onMute?(until: number | null): void;
}

/** What can be done with the checks that are selected. */
export function BulkActions({ ids, known, onDone }: BulkActionsProps) {
  const navigate = useNavigate();
  const show = (sessionId: string) =>
    void navigate({ to: '/sessions/$sessionId', params: { sessionId } });
  const [isTagging, setTagging] = useState(false);
  const checks = ids.map((id) => known.checks.get(id)).filter((check) => check !== undefined);
  const areMuted = checks.every(({ muted }) => muted);
  const arePaused = checks.every(({ state }) => state === 'paused');
  const mute = (until: number | null) =>
    void (until === null
      ? setMuted(checks, true)
      : muteUntil(checks, new Date(until).toISOString()));
  const actions: Action[] = [
    { label: bulk.run, icon: Zap, run: () => void runChecks(ids, show) },
    areMuted
      ? { label: bulk.unmute, icon: Bell, run: () => void setMuted(checks, false) }
      : { label: bulk.mute, icon: BellOff, run: () => mute(null), onMute: mute },
    arePaused
      ? { label: bulk.resume, icon: Play, run: () => void setActivated(checks, true) }
      : { label: bulk.pause, icon: Pause, run: () => void setActivated(checks, false) },
    { label: bulk.tag, icon: Tag, run: () => setTagging(true) },
    {
      label: bulk.delete,
      icon: Trash2,
      run: () => {
        deleteChecks(ids);
        onDone();
      },
    },
  ];
  useCommands(
    actions.map(({ label, run }) => ({ label: `${label}: ${bulk.selected(ids.length)}`, run })),
  );
  return (
    <>
      <div className={styles.bar} role="toolbar" aria-label={bulk.label}>
        <span className={styles.count}>{bulk.selected(ids.length)}</span>
        {actions.map(({ label, icon, run, onMute }) =>
          onMute === undefined ? (
            <BarButton key={label} label={label} icon={icon} onClick={run} />
          ) : (
            <MuteMenu
              key={label}
              onMute={onMute}
              trigger={<BarButton label={label} icon={icon} />}
            />
          ),
        )}
        <Button kind="quiet" isIcon aria-label={bulk.clear} onClick={onDone}>
          <X size={16} strokeWidth={1.5} aria-hidden />
        </Button>
      </div>
      {isTagging && (
        <TagDialog
          count={ids.length}
          onClose={() => setTagging(false)}
          onTag={(tag) => void addTag(ids, tag)}
        />
      )}
    </>
  );
}

function BarButton({
  label,
  icon: Icon,
  ...props
}: Pick<Action, 'label' | 'icon'> & ComponentProps<'button'>) {
  return (
    <Button kind="quiet" {...props}>
      <Icon size={16} strokeWidth={1.5} aria-hidden />
      <span className={styles.label}>{label}</span>
    </Button>
  );
}

interface TagDialogProps {
  count: number;
  onClose(): void;
  onTag(tag: string): void;
}

function TagDialog({ count, onClose, onTag }: TagDialogProps) {
  const [tag, setTag] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onTag(tag.trim());
    onClose();
  };
  return (
    <Dialog isOpen onClose={onClose} title={bulk.tagTitle(count)}>
      <form className={styles.form} onSubmit={submit}>
        <TextField
          label={bulk.tagName}
          hint={bulk.tagHint}
          value={tag}
          onChange={(event) => setTag(event.target.value)}
          maxLength={500}
          required
        />
        <DialogActions>
          <Button onClick={onClose}>{text.parts.cancel}</Button>
          <Button type="submit" kind="primary" disabled={tag.trim() === ''}>
            {bulk.add}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
