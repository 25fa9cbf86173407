/** Idempotent SQL of the time series (schema `ts`), run in this order whenever its text changes. */
export const SERIES_SQL: readonly { readonly name: string; readonly text: string }[] = []
