import { embeddedFiles } from './embed.ts' with { type: 'macro' }

/** The definition files of the compiled binary, loaded only there; a run from source reads the files. @public */
export const EMBEDDED = embeddedFiles()
