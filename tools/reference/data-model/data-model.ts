import { SETTINGS } from '../../../src/config/schema.ts'
import { type InventoryTable, inventoryTables } from '../../../src/core/database/tables.ts'
import { graphsOfKind } from '../../../src/graphs/catalogue/by-kind.ts'
import { type Column, hasCounters, RETENTION_CLASSES, type SampleKind } from '../../../src/series/kind.ts'
import { KIND_LIST, type KindName } from '../../../src/series/kinds.ts'
import { HEAD, READING, SCHEMA_CHANGES, SERIES } from './data-model-text.ts'

/** The page docs/reference/data-model.md. */
export function dataModelPage(): { readonly path: string; readonly text: string } {
  const sections = [
    HEAD,
    inventory(inventoryTables()),
    SERIES,
    retention(),
    ...KIND_LIST.map(kindSection),
    READING.replace('{views}', viewNames().join(', ')),
    SCHEMA_CHANGES,
  ]
  return { path: 'docs/reference/data-model.md', text: sections.join('\n') }
}

function inventory(tables: readonly InventoryTable[]): string {
  const rows = tables.map(({ name, primaryKey, columns }) => {
    const list = columns.map(({ name: column, type, nullable, references }) => {
      const target = references === null ? '' : ` → \`${references}\``
      return `\`${column}\` ${type.replace('timestamp with time zone', 'timestamptz')}${nullable ? '?' : ''}${target}`
    })
    return `| \`${name}\` | ${primaryKey.map((column) => `\`${column}\``).join(', ')} | ${list.join(', ')} |`
  })
  return `### Tables

\`?\`: may be null. \`→\`: foreign key.

| Table | Primary key | Columns |
|---|---|---|
${rows.join('\n')}
`
}

function retention(): string {
  const names = Object.entries(RETENTION_CLASSES).map(([name, about]) => {
    const kinds = KIND_LIST.filter((kind) => kind.retention === name).map((kind) => `\`${kind.name}\``)
    return `| \`${name}\` | ${about} | ${kinds.join(', ')} |`
  })
  const days = (level: '' | '1h_' | '1d_') =>
    `\`series.keep_${level}days\` (${SETTINGS[`series.keep_${level}days`].default})`
  return `### Retention

Samples are kept for ${days('')} days, hourly roll-ups for ${days('1h_')}, daily ones for ${days('1d_')}. The settings
\`series.CLASS.keep_days\`, \`series.CLASS.keep_1h_days\` and \`series.CLASS.keep_1d_days\` override them for a retention class.

| Class | For | Kinds |
|---|---|---|
${names.join('\n')}
`
}

function kindSection(kind: SampleKind & { readonly name: KindName }): string {
  const { name, about, key, chunk, subject, retention: retentionClass } = kind
  const graphs = graphsOfKind(name)
  const views = viewsOf(kind)
  const period = hasCounters(kind.columns)
    ? ['| `period_ms` | int | ms | time over which the counters counted | no | sum (bigint) |']
    : []
  return `### \`${name}\`

${about.slice(0, 1).toUpperCase()}${about.slice(1)}.

- Tables: \`ts.${name}_samples\`, \`ts.${name}_1h\`, \`ts.${name}_1d\`. Partitions of samples: ${chunk}.
- Key: \`${key}\` (of \`${subject.table.replaceAll('"', '')}\`), \`time\`. Retention class: \`${retentionClass}\`.
- Grafana: ${views.length === 0 ? 'no view' : views.map((view) => `\`${view}\``).join(', ')}.
- Graphs: ${graphs.length === 0 ? 'none' : graphs.map((graph) => `\`${graph}\``).join(', ')}.

| Column | Type | Unit | Role | Null | Roll-ups |
|---|---|---|---|---|---|
${[...period, ...kind.columns.map((column) => columnRow(column))].join('\n')}
`
}

const ROLES: Readonly<Record<Column['role'], string>> = {
  gauge: 'gauge',
  counter: 'delta of a counter',
  total: 'number of events',
}

function columnRow({ name, type, unit, role }: Column): string {
  const perSecond = role === 'counter' ? ' (per second)' : ''
  const rolled = `${role === 'gauge' ? 'average' : 'sum'}, \`${name}_min\`, \`${name}_max\`${perSecond}`
  return `| \`${name}\` | ${type} | ${unit} | ${ROLES[role]} | yes | ${rolled} |`
}

function viewsOf({ view, ownView }: SampleKind): readonly string[] {
  const name = view?.name ?? ownView
  return name === undefined ? [] : [`ts.${name}`, `ts.${name}_1h`]
}

function viewNames(): readonly string[] {
  return KIND_LIST.flatMap(viewsOf).map((view) => `\`${view}\``)
}
