import { ChevronDown } from 'lucide-react';
import { formText } from '#renderer/messages/editor.ts';
import { text } from '#renderer/messages/messages.ts';
import { Button } from '#renderer/parts/button.tsx';
import { locationName } from '#renderer/parts/location-name.ts';
import { Menu, MenuCheck } from '#renderer/parts/menu.tsx';
import { LOCATIONS } from '#shared/checks/enums.ts';
import { useMember } from './inputs.tsx';
import styles from './places.module.css';

const words = formText;

/** Where runs are made: none is this machine, under its own name. */
export function Places({ path }: { path: string }) {
  const { value, set, error } = useMember(path);
  const chosen = Array.isArray(value) ? (value as string[]) : [];
  const toggle = (place: string) =>
    set(chosen.includes(place) ? chosen.filter((one) => one !== place) : [...chosen, place]);
  return (
    <div className={styles.places} data-path={path}>
      <Menu
        trigger={
          <Button aria-invalid={error === undefined ? undefined : true}>
            {words.places}:{' '}
            {chosen.length === 0 ? text.parts.here : chosen.map(locationName).join(', ')}
            <ChevronDown size={16} strokeWidth={1.5} aria-hidden />
          </Button>
        }
      >
        {LOCATIONS.map((place) => (
          <MenuCheck key={place} isOn={chosen.includes(place)} onChange={() => toggle(place)}>
            {locationName(place)}
          </MenuCheck>
        ))}
      </Menu>
      <p className={styles.hint}>{error ?? words.placesHint}</p>
    </div>
  );
}
