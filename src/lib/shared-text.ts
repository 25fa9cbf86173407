import { createShared } from './shared.ts'

/**
 * A function that returns one copy of equal texts. Rows of a query each bring their own: 'up' for every port, and the
 * names and OIDs that devices of a model have in common.
 */
export function createSharedText(): (text: string) => string {
  const shared = createShared<string>()
  return (text) => shared(text, text)
}
