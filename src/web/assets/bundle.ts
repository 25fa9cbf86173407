import { embeddedAssets } from './embed.ts' with { type: 'macro' }

/** Scripts, styles and icons by file name. Import it lazily: from source, loading it bundles them. */
export const BUNDLE: Readonly<Record<string, string>> = embeddedAssets()
