import { embeddedDocuments } from './embed.ts' with { type: 'macro' }

/** The documentation of the compiled program, loaded only there; a run from source reads the files. @public */
export const DOCUMENTS = embeddedDocuments()
