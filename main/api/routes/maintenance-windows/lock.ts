/** Changes of maintenance windows, and of their occurrences, wait for each other. */
export const WINDOWS = 'maintenance-windows';
