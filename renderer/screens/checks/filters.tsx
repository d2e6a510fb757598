import { ChevronDown, X } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useKeys } from '#renderer/app/keys.ts';
import { text } from '#renderer/messages/messages.ts';
import { Button } from '#renderer/parts/button.tsx';
import chip from '#renderer/parts/chip.module.css';
import { inputClass } from '#renderer/parts/field.tsx';
import { count } from '#renderer/parts/format.ts';
import { join } from '#renderer/parts/join.ts';
import { Menu, MenuCheck, MenuChoice } from '#renderer/parts/menu.tsx';
import { StateIcon } from '#renderer/parts/state-icon.tsx';
import { CHECK_TYPES } from '#shared/checks/enums.ts';
import { countTags, GROUPINGS } from '#shared/summaries/check-list.ts';
import { CHECK_STATES, type CheckState } from '#shared/summaries/check-state.ts';
import type { CheckSummary } from '#shared/summaries/check-summary.ts';
import styles from './filters.module.css';
import type { ChecksSearch } from './search.ts';

interface FiltersProps {
  search: ChecksSearch;
  counts: Record<CheckState, number>;
  /** All of them, whatever is shown. */
  checks: readonly CheckSummary[];
  onChange(change: Partial<ChecksSearch>): void;
}

const MAX_TAGS = 50;
/** What people look for has a button of its own. */
const OFFERED = ['failing', 'degraded'] as const;

/** Which checks are shown: by text, state, type and tag. */
export function Filters({ search, counts, checks, onChange }: FiltersProps) {
  const { state, type, tag, by = 'group' } = search;
  const isFiltered = Boolean(search.q ?? state ?? type ?? tag);
  const types = CHECK_TYPES.filter((one) => checks.some((check) => check.type === one));
  const tags = countTags(checks).slice(0, MAX_TAGS);
  return (
    <search className={styles.filters} aria-label={text.checks.filters}>
      <SearchField value={search.q ?? ''} onChange={(q) => onChange({ q: q || undefined })} />
      {OFFERED.filter((one) => counts[one] > 0 || state?.includes(one)).map((one) => (
        <button
          key={one}
          type="button"
          className={join(chip.chip, styles[one])}
          aria-pressed={state?.includes(one) ?? false}
          onClick={() => onChange({ state: toggled(state, one) })}
        >
          <StateIcon state={one} isNamed={false} size={14} />
          {text.parts.states[one]} {count(counts[one])}
        </button>
      ))}
      <Menu
        trigger={
          <Chip isOn={state !== undefined}>
            {labelOf(
              text.checks.state,
              state?.map((one) => text.parts.states[one]),
            )}
          </Chip>
        }
      >
        {CHECK_STATES.map((one) => (
          <MenuCheck
            key={one}
            isOn={state?.includes(one) ?? false}
            onChange={() => onChange({ state: toggled(state, one) })}
          >
            <StateIcon state={one} isNamed={false} />
            {text.parts.states[one]}
            <span className={styles.times}>{count(counts[one])}</span>
          </MenuCheck>
        ))}
      </Menu>
      <Menu
        trigger={
          <Chip isOn={type !== undefined}>
            {labelOf(
              text.checks.type,
              type?.map((one) => text.checks.types[one]),
            )}
          </Chip>
        }
      >
        {types.map((one) => (
          <MenuCheck
            key={one}
            isOn={type?.includes(one) ?? false}
            onChange={() => onChange({ type: toggled(type, one) })}
          >
            {text.checks.types[one]}
          </MenuCheck>
        ))}
      </Menu>
      {tags.length > 0 && (
        <Menu trigger={<Chip isOn={tag !== undefined}>{labelOf(text.checks.tags, tag)}</Chip>}>
          {tags.map(([one, times]) => (
            <MenuCheck
              key={one}
              isOn={tag?.includes(one) ?? false}
              onChange={() => onChange({ tag: toggled(tag, one) })}
            >
              <span className={styles.tag}>{one}</span>
              <span className={styles.times}>{count(times)}</span>
            </MenuCheck>
          ))}
        </Menu>
      )}
      <Menu trigger={<Chip isOn={false}>{text.checks.grouping(text.checks.groupings[by])}</Chip>}>
        <MenuChoice
          label={text.checks.grouping('')}
          value={by}
          options={GROUPINGS.map((one) => [one, text.checks.groupings[one]] as const)}
          onChange={(next) => onChange({ by: next === 'group' ? undefined : next })}
        />
      </Menu>
      {isFiltered && (
        <Button
          kind="quiet"
          onClick={() =>
            onChange({ q: undefined, state: undefined, type: undefined, tag: undefined })
          }
        >
          <X size={16} strokeWidth={1.5} aria-hidden />
          {text.checks.clear}
        </Button>
      )}
    </search>
  );
}

function SearchField({ value, onChange }: { value: string; onChange(value: string): void }) {
  const input = useRef<HTMLInputElement>(null);
  // What is typed is shown at once; the address follows it.
  const [typed, setTyped] = useState(value);
  const told = useRef(value);
  useEffect(() => {
    if (value !== told.current) setTyped(value);
    told.current = value;
  }, [value]);
  const change = (next: string) => {
    setTyped(next);
    told.current = next.trim();
    onChange(next.trim());
  };
  useKeys([{ key: '/', label: text.checks.keys.search, run: () => input.current?.focus() }]);
  return (
    <div className={styles.search}>
      <input
        ref={input}
        className={inputClass}
        type="search"
        value={typed}
        placeholder={text.checks.search}
        aria-label={text.checks.search}
        onChange={(event) => change(event.target.value)}
        onKeyDown={(event) => event.key === 'Escape' && input.current?.blur()}
      />
      {typed === '' && (
        <kbd className={styles.kbd} aria-hidden>
          /
        </kbd>
      )}
    </div>
  );
}

function Chip({ isOn, children, ...trigger }: { isOn: boolean; children: ReactNode }) {
  return (
    <button type="button" className={chip.chip} data-on={isOn} {...trigger}>
      {children}
      <ChevronDown size={14} strokeWidth={1.5} aria-hidden />
    </button>
  );
}

const MAX_NAMED = 2;

function labelOf(name: string, chosen: readonly string[] | undefined): string {
  if (chosen === undefined) return name;
  return chosen.length > MAX_NAMED ? `${name}: ${chosen.length}` : `${name}: ${chosen.join(', ')}`;
}

function toggled<T>(chosen: readonly T[] | undefined, one: T): T[] | undefined {
  const next = chosen?.includes(one)
    ? chosen.filter((other) => other !== one)
    : [...(chosen ?? []), one];
  return next.length > 0 ? next : undefined;
}
