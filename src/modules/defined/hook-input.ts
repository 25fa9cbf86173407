import type { TemplateLookup } from '../../definitions/template.ts'
import type { Read } from '../module.ts'

/** What a hook can read besides the row made by the definition: the entry's placeholders and all tables. */
export interface HookInput {
  /** Index of the row in its table; null for scalars. */
  readonly index: string | null
  readonly lookup: TemplateLookup
  readonly read: Read
  /** Converts a sent value to the unit that is shown. */
  readonly factor: number
}
