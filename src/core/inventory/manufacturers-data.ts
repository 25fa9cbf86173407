import { embeddedManufacturers } from './manufacturers-embed.ts' with { type: 'macro' }

/** The IEEE registry of address blocks as returned by `embeddedManufacturers`, 1.6 MB. Import it on demand. */
export const MANUFACTURERS = embeddedManufacturers()
