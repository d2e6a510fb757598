import packageJson from '../../package.json' with { type: 'json' };

/** The version of Watchpost. */
export const VERSION: string = packageJson.version;
