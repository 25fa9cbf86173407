import { embeddedFiles } from './embed.ts' with { type: 'macro' }

/** The definition files of the compiled binary. Loaded only there; a run from source reads the files. @public */
export const EMBEDDED = embeddedFiles()
