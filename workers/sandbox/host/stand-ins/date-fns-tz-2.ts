// What scripts of runtimes with date-fns-tz 2 get: its third version, with the names that this renamed.
import { fromZonedTime, toZonedTime } from 'date-fns-tz';

export * from 'date-fns-tz';
export const utcToZonedTime = toZonedTime;
export const zonedTimeToUtc = fromZonedTime;
