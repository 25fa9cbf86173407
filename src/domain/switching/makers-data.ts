import { embeddedMakers } from './makers-embed.ts' with { type: 'macro' }

/** IEEE's registry of address blocks, as `embeddedMakers` leaves it: 1.6 MB. Import it when it is needed. */
export const MAKERS = embeddedMakers()
