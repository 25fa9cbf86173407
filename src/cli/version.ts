import manifest from '../../package.json' with { type: 'json' }

/** Version of this program, for example `0.1.0`. */
export const VERSION = manifest.version
