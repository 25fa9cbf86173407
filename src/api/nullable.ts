import { t } from 'elysia'
import { whole } from './whole.ts'

/** A text, or null where it is not known. */
export const Text = t.Union([t.String(), t.Null()])

/** A number that may have a fraction, or null where it is not known. */
export const Value = t.Union([t.Number(), t.Null()])

/** A whole number, or null where it is not known. */
export const Whole = t.Union([whole(), t.Null()])
