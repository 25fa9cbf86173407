import base from './series/10-base.sql' with { type: 'text' }
import rollup from './series/20-rollup.sql' with { type: 'text' }
import packedForm from './series/24-packed-form.sql' with { type: 'text' }
import pack from './series/25-pack.sql' with { type: 'text' }
import packedViews from './series/26-packed-views.sql' with { type: 'text' }
import movePacked from './series/27-move-packed.sql' with { type: 'text' }
import packIn from './series/28-pack-in.sql' with { type: 'text' }
import tables from './series/30-tables.sql' with { type: 'text' }
import maintain from './series/40-maintain.sql' with { type: 'text' }
import status from './series/45-status.sql' with { type: 'text' }
import views from './series/50-views.sql' with { type: 'text' }
import grafana from './series/60-grafana.sql' with { type: 'text' }
import grafanaFunctions from './series/65-grafana-functions.sql' with { type: 'text' }

/** Idempotent SQL of the time series (schema `ts`), run whenever its text changes, in the order of the names. */
export const SERIES_SQL = {
  '10-base.sql': base,
  '20-rollup.sql': rollup,
  '24-packed-form.sql': packedForm,
  '25-pack.sql': pack,
  '26-packed-views.sql': packedViews,
  '27-move-packed.sql': movePacked,
  '28-pack-in.sql': packIn,
  '30-tables.sql': tables,
  '40-maintain.sql': maintain,
  '45-status.sql': status,
  '50-views.sql': views,
  '60-grafana.sql': grafana,
  '65-grafana-functions.sql': grafanaFunctions,
} as const
