// What scripts of runtimes with date-fns-tz 2 get: its third version, with the names that this renamed.
const tz = require('date-fns-tz');

module.exports = { ...tz, utcToZonedTime: tz.toZonedTime, zonedTimeToUtc: tz.fromZonedTime };
