import { text } from '#renderer/messages/messages.ts';
import { LOCATION_NAMES, type Location } from '#shared/checks/enums.ts';

/** What people call a location: a city, a private location's own name, or `here`. */
export function locationName(location: string): string {
  return (
    LOCATION_NAMES[location as Location] ?? (location === 'local' ? text.parts.here : location)
  );
}
