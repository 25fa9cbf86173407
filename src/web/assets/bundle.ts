import { embeddedAssets } from './embed.ts' with { type: 'macro' }

/**
 * Scripts, styles and icons by file name. Import this lazily: when running from source, loading it runs the bundler.
 */
export const BUNDLE: Readonly<Record<string, string>> = embeddedAssets()
