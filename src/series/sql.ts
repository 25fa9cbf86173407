import { type Column, hasCounters, type SampleKind } from './kind.ts'

/**
 * Declares the tables of the kinds, their roll-ups, and the cleanup when a subject is deleted. Needs
 * db/series/20-rollup.sql.
 */
export function tablesSql(kinds: readonly SampleKind[]): string {
  // kinds with the same subjects each need a trigger of their own; the first one's has no kind in its name
  const seen = new Set<string>()
  return kinds
    .map(({ name, key, chunk, columns, subject }) => {
      const trigger = seen.has(subject.table) ? `note_gone_${name}` : 'note_gone'
      const isNoted = subject.table !== 'devices' || name === 'device'
      if (isNoted) seen.add(subject.table)
      return `
select ts.define('${name}', '${key}', interval '${chunk}', array[${columns.map((c) => `'${fieldText(c)}'`).join(', ')}]);
${isNoted ? goneTrigger(trigger, name, subject) : ''}`
    })
    .join('')
}

/** `name:type:role:min:max`, as ts.define expects it. */
function fieldText({ name, type, role }: Column): string {
  return [name, type, role, 'min', 'max'].join(':')
}

/**
 * Lets maintenance remove the samples of deleted rows. Kinds of the device itself are removed with kind `device`. A table
 * that a later migration makes is left out: a restored backup may be older than the kind.
 */
function goneTrigger(trigger: string, name: string, { table, id }: SampleKind['subject']): string {
  return `do $d$
begin
  if to_regclass('public.${table}') is not null then
    create or replace trigger ${trigger} after delete on ${table} referencing old table as old_rows
      for each statement execute function ts.note_gone('${name}', '${id.replaceAll('"', '')}');
  end if;
end $d$;`
}

/** The kinds' views for Grafana, and the reader's grants on them. Needs the roll-ups' live tails. */
export function viewsSql(kinds: readonly SampleKind[]): string {
  const views = kinds.flatMap((kind) => [viewSql(kind, 'samples'), viewSql(kind, '1h')])
  const names = kinds.flatMap(({ view }) => (view === null ? [] : [`ts.${view.name}`, `ts.${view.name}_1h`]))
  return `${views.join('')}
do $d$
begin
  execute (select format('grant select on %s to portlight_reader', string_agg(name, ', '))
    from unnest(array[${names.map((name) => `'${name}'`).join(', ')}]) name where to_regclass(name) is not null);
exception
  when insufficient_privilege or undefined_object then raise notice 'role portlight_reader: %', sqlerrm;
end $d$;`
}

function viewSql({ name, key, columns, subject, view }: SampleKind, level: 'samples' | '1h'): string {
  if (view === null) return ''
  const own = subject.table !== 'devices'
  const counters = hasCounters(columns)
  const extremes = columns.flatMap(({ name: column }) => [`${column}_min`, `${column}_max`])
  const list = [
    level === 'samples' ? 's."time"' : 's.bucket as "time"',
    'd.device_id',
    'd.hostname',
    ...(own ? [`s.${key}`] : []),
    ...view.with.map((column) => `x.${column}`),
    ...(counters ? ['s.period_ms'] : []),
    ...columns.map((c) => `s.${c.name}`),
    ...(view.also ?? []).map(([as, sql]) => `${sql} as ${as}`),
    ...(level === 'samples' ? [] : extremes.map((column) => `s.${column}`)),
  ]
  return `
select ts.make_view('ts.${view.name}${level === 'samples' ? '' : '_1h'}', $v$
  select ${list.join(', ')}
  from ts.${name}_${level === 'samples' ? 'samples_dated' : '1h_all'} s
  ${own ? `join public.${subject.table} x on x.${subject.id} = s.${key} ` : ''}join public.devices d ${own ? 'on d.device_id = x.device_id' : 'using (device_id)'}$v$)${ifThere(subject.table)};`
}

/** Condition that a table exists; see `goneTrigger`. */
export const ifThere = (table: string): string => ` where to_regclass('public.${table}') is not null`
