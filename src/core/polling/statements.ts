import { STATE_TEXT } from '../../lib/text-readings.ts'
import { KIND_LIST, type KindName } from '../../series/kinds.ts'
import { EVERYTHING } from '../discovery/unstored.ts'

const DEVICES = (where: string): string => `
  select device_id, hostname, overwrite_ip, community, authlevel, authname, authpass, authalgo, cryptopass,
    cryptoalgo, snmpver, port, transport, timeout, retries, snmp_disable, disabled, status, status_reason, os,
    "sysObjectID", "sysDescr", poll_interval, last_discovered, poller_group, port_association_mode,
    snmp_any_source,
    (select jsonb_build_array(f.kind, f.detail) from device_failures f where f.device_id = devices.device_id) as failure,
    (select jsonb_build_object('tries', f.tries, 'at', floor(extract(epoch from f.tried_at) * 1000))
      from discovery_failures f where f.device_id = devices.device_id and f.subject = '${EVERYTHING}') as unstored,
    exists (select from devices_attribs a where a.device_id = devices.device_id
      and a.attrib_type = 'override_icmp_disable' and lower(a.attrib_value) in ('1', 'true')) as icmp_disable,
    array(select distinct unnest(string_to_array(g.objects, ' ')) from device_graphs g
      where g.device_id = devices.device_id order by 1) as stats,
    (select count(*) from ports_fdb f where f.device_id = devices.device_id)::int as fdb_count,
    array(select m.module from device_modules m where m.device_id = devices.device_id and m.rows > 0 order by 1) as modules,
    exists (select from device_modules m where m.device_id = devices.device_id and m.note like 'truncated:%') as truncated,
    (select jsonb_object_agg(a.attrib_type, lower(a.attrib_value) in ('1', 'true')) from devices_attribs a
      where a.device_id = devices.device_id and a.attrib_type ~ '^(discover|poll)_') as switches,
    array(select g.name from device_group_device m join device_groups g on g.id = m.device_group_id
      where m.device_id = devices.device_id order by g.name) as groups
  from devices where ${where}`

/** Types of interfaces without a line of their own, whose ifSpeed is a number that the agent had to fill in. */
const NOMINAL_TYPES = ['softwareLoopback', 'tunnel', 'propVirtual', 'l2vlan', 'l3ipvlan', 'bridge', 'ppp', 'other']
  .map((type) => `'${type}'`)
  .join()

const PORTS = (where: string): string => `
  select device_id, port_id, coalesce("ifIndex", 0) as "ifIndex", "ifName", "ifAlias", "ifDescr", "ifSpeed",
    "ifHighSpeed", "ifAdminStatus", "ifOperStatus", hc_mask, lc_mask, disabled, deleted,
    coalesce("ifType", '') in (${NOMINAL_TYPES}) as nominal
  from ports where ${where}`

const EXPRESSIONS = {
  'as it is': (column: string) => column,
  // Stored as the API shows it, while the engine takes dotted decimal without a leading dot.
  oid: (column: string) => `ltrim(${column}, '.') as ${column}`,
  positive: (column: string) => `nullif(${column}, 0) as ${column}`,
  reading: (column: string) => `case ${column} when '${STATE_TEXT}' then '${STATE_TEXT} ' || coalesce(
    (select jsonb_object_agg(t.state_descr, t.state_value)::text from sensors_to_state_indexes i
      join state_translations t using (state_index_id)
      where i.sensor_id = sensors.sensor_id and t.state_descr is not null), '{}')
    else ${column} end as ${column}`,
} as const

/** For each kind that polls measure, the query of its polled rows. */
const KINDS = KIND_LIST.flatMap(({ name, subject, poll, observed }) => {
  const needs = poll?.needs ?? observed?.needs
  if (needs === undefined) return []
  const columns = needs.map(([column, as]) => EXPRESSIONS[as](column))
  const more = [subject.where, poll?.where].flatMap((condition) =>
    condition === undefined ? [] : [`and ${condition}`],
  )
  const text = (where: string): string =>
    `select device_id, ${subject.id} as id, ${columns.join()} from ${subject.table} where ${where} ${more.join(' ')}`
  return [{ name, text }]
})

/** Condition that takes an array literal of device ids in $1; null: all devices. */
const GIVEN = '($1::text is null or device_id = any($1::text::int[]))'

/** The statements of a polling plan, ordered by device and id. $1: array literal of device ids; null: all. */
export const READ_DEVICES = `${DEVICES(GIVEN)} order by device_id`
export const READ_PORTS = `${PORTS(GIVEN)} order by device_id, port_id`
export const READ_KINDS: readonly { readonly name: KindName; readonly text: string }[] = KINDS.map(
  ({ name, text }) => ({
    name,
    text: `${text(GIVEN)} order by device_id, id`,
  }),
)

/**
 * A number for all the rows that a polling plan is made from, by device: it differs once any of them does. $1: array of
 * device ids. The text of a row has the values of all columns, and the seed is the table's, so that equal rows of two
 * tables count as different.
 */
export const READ_DIGESTS = `select device_id, sum(h)::text as digest from (
  ${[DEVICES, PORTS, ...KINDS.map(({ text }) => text)]
    .map(
      (text, seed) =>
        `select device_id, hashtextextended(r::text, ${seed}) as h from (${text('device_id = any($1::int[])')}) r`,
    )
    .join('\n  union all ')}
  ) hashed group by device_id`
