import type { Lookup } from '../../definitions/template.ts'
import type { Read } from '../module.ts'

/** What a hook can read besides the row that the definition made: the entry's places and all tables. */
export interface HookInput {
  /** Index of the row in its table; null for scalars. */
  readonly index: string | null
  readonly lookup: Lookup
  readonly read: Read
  /** Converts from the unit sent to the unit shown. */
  readonly factor: number
}
