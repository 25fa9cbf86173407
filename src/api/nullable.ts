import { t } from './elysia.ts'
import { whole } from './integer.ts'

/** Text, or null if unknown. */
export const Text = t.Union([t.String(), t.Null()])

/** A number, possibly with a fraction, or null if unknown. */
export const Value = t.Union([t.Number(), t.Null()])

/** A whole number, or null if unknown. */
export const Whole = t.Union([whole(), t.Null()])
