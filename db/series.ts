import base from './series/10-base.sql' with { type: 'text' }
import rollup from './series/20-rollup.sql' with { type: 'text' }
import tables from './series/30-tables.sql' with { type: 'text' }
import maintain from './series/40-maintain.sql' with { type: 'text' }
import views from './series/50-views.sql' with { type: 'text' }

/** Idempotent SQL of the time series (schema `ts`), run in this order whenever its text changes. */
export const SERIES_SQL: readonly { readonly name: string; readonly text: string }[] = [
  { name: '10-base.sql', text: base },
  { name: '20-rollup.sql', text: rollup },
  { name: '30-tables.sql', text: tables },
  { name: '40-maintain.sql', text: maintain },
  { name: '50-views.sql', text: views },
]
