/**
 * Name of the advisory lock under which candidates are changed. Whoever deletes a device takes it too: candidates refer to
 * devices in several ways, and a row of one that is being changed may refer to another device next.
 */
export const CANDIDATES_LOCK = 'portlight.candidates'
