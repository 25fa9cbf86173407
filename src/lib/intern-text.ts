import { createShared } from './intern.ts'

/**
 * Returns a function that gives one copy of equal texts, because each row of a query has its own: 'up' for every port,
 * and the names and OIDs that devices of one model have in common.
 */
export function createSharedText(): (text: string) => string {
  const shared = createShared<string>()
  return (text) => shared(text, text)
}
