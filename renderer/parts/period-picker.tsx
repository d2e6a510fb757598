import { ChevronDown } from 'lucide-react';
import { text } from '#renderer/messages/messages.ts';
import { Button } from './button.tsx';
import { Menu, MenuChoice } from './menu.tsx';
import { PERIODS, type Period } from './period.ts';
import styles from './period-picker.module.css';

/** Chooses how much of the past is shown. */
export function PeriodPicker({ value, onChange }: { value: Period; onChange(next: Period): void }) {
  return (
    <Menu
      align="end"
      trigger={
        <Button kind="quiet" className={styles.picker ?? ''}>
          {text.parts.periods[value]}
          <ChevronDown size={16} strokeWidth={1.5} aria-hidden />
        </Button>
      }
    >
      <MenuChoice
        label={text.parts.period}
        value={value}
        options={PERIODS.map((period) => [period, text.parts.periods[period]] as const)}
        onChange={onChange}
      />
    </Menu>
  );
}
