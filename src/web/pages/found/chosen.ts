import { ticked } from '../../components/bulk.tsx'
import type { Form } from '../../page.ts'

/** Most candidates that are accepted with one form. */
export const MAX_CHOSEN = 500

/** Names of the checkboxes of candidates begin so. */
export const PREFIX = 'candidate-'

/** Ids of the ticked candidates. Throws `invalid` if there are none. */
export const tickedCandidates = (form: Form): number[] => ticked(form, PREFIX, 'Select one or more of them first')

/** Ids separated by commas, each once, at most MAX_CHOSEN; what is not an id is left out. */
export function idsOf(text: string | null | undefined): number[] {
  const parts = (text ?? '').slice(0, MAX_CHOSEN * 11).split(',')
  const ids = parts.filter((part) => /^\d{1,9}$/.test(part)).map(Number)
  return [...new Set(ids)].filter((id) => id > 0).slice(0, MAX_CHOSEN)
}
