import { ChevronDown, X } from 'lucide-react';
import { useSummary } from '#renderer/api/summary.ts';
import { text } from '#renderer/messages/messages.ts';
import { Button } from '#renderer/parts/button.tsx';
import chip from '#renderer/parts/chip.module.css';
import { Menu, MenuChoice } from '#renderer/parts/menu.tsx';
import { PeriodPicker } from '#renderer/parts/period-picker.tsx';
import { ALERT_SAYINGS } from '#shared/alerting/alert-type.ts';
import styles from './alerts-screen.module.css';
import { type AlertsSearch, DEFAULT_ALERTS_PERIOD } from './search.ts';

const words = text.alerts;

/** Which alerts are shown: by time, by what they say, by whether somebody was told, by their check. */
export function Filters({
  search,
  onChange,
}: {
  search: AlertsSearch;
  onChange(change: AlertsSearch): void;
}) {
  const { period = DEFAULT_ALERTS_PERIOD, says, told, check } = search;
  return (
    <search className={styles.filters} aria-label={words.filters}>
      {ALERT_SAYINGS.map((one) => (
        <button
          key={one}
          type="button"
          className={chip.chip}
          aria-pressed={says === one}
          onClick={() => onChange({ says: says === one ? undefined : one })}
        >
          {words.says[one]}
        </button>
      ))}
      <Menu
        trigger={
          <button type="button" className={chip.chip} data-on={told !== undefined}>
            {words.told[told ?? 'all']}
            <ChevronDown size={16} strokeWidth={1.5} aria-hidden />
          </button>
        }
      >
        <MenuChoice
          label={words.told.label}
          value={told ?? 'all'}
          options={(['all', 'yes', 'no'] as const).map((one) => [one, words.told[one]] as const)}
          onChange={(next) => onChange({ told: next === 'all' ? undefined : next })}
        />
      </Menu>
      {check !== undefined && (
        <CheckChip id={check} onClear={() => onChange({ check: undefined })} />
      )}
      {isFiltered(search) && (
        <Button
          kind="quiet"
          onClick={() => onChange({ says: undefined, told: undefined, check: undefined })}
        >
          {words.clear}
        </Button>
      )}
      <div className={styles.period}>
        <PeriodPicker value={period} onChange={(next) => onChange({ period: next })} />
      </div>
    </search>
  );
}

export function isFiltered({ says, told, check }: AlertsSearch): boolean {
  return says !== undefined || told !== undefined || check !== undefined;
}

function CheckChip({ id, onClear }: { id: string; onClear(): void }) {
  const summary = useSummary();
  const name = summary.kind === 'ready' ? summary.known.checks.get(id)?.name : undefined;
  return (
    <button type="button" className={chip.chip} data-on onClick={onClear}>
      <span className={styles.checkName}>{words.ofCheck(name ?? words.aCheck)}</span>
      <X size={16} strokeWidth={1.5} aria-hidden />
    </button>
  );
}
