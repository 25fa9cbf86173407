import type { ComponentRow } from '../../../core/components/service.ts'
import { orEmpty } from './forms.ts'

/** Components by id. Attributes are merged with the members, which win. */
export function presentComponents(rows: readonly ComponentRow[]) {
  return Object.fromEntries(
    rows.map(({ id, attributes, ...own }) => [
      id,
      { ...attributes, ...own, label: orEmpty(own.label), error: orEmpty(own.error) },
    ]),
  )
}
