import { embeddedManufacturers } from './manufacturers-embed.ts' with { type: 'macro' }

/** IEEE's registry of address blocks as `embeddedManufacturers` returns it: 1.6 MB. Import it on demand. */
export const MANUFACTURERS = embeddedManufacturers()
