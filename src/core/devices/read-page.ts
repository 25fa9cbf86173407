import { grantedDevicesText, type Scope } from '../base/scope.ts'
import type { Store } from '../database/client.ts'
import { deviceRecordPart } from '../records/device.ts'
import { openRecords } from '../secrets/values.ts'
import { condition, type DeviceFilter, type DeviceOrder, orderSql, parentsOf } from './read.ts'

export { isDeviceMember } from '../records/device.ts'

/** Which devices of an ordered list to return, and which of their members. */
export interface DevicePageOptions {
  /** Members of the record, see `isDeviceMember`; null: all of them. */
  readonly columns: readonly string[] | null
  readonly limit: number
  readonly offset: number
  /** Whether the credentials are shown; else they are null. */
  readonly secrets: boolean
}

/** Part of a list of records, as the JSON text of an array. */
export interface DevicePage {
  readonly json: string
  readonly count: number
  /** Devices of the whole list. */
  readonly total: number
}

/** Texts of prepared statements, which take memory in every connection: those of the first kinds of pages requested. */
const prepared = new Set<string>()
const MAX_PREPARED = 16

/** Parsing and planning takes a third of a page's time, but texts that clients vary must not fill the connections. */
function staysPrepared(text: string, order: DeviceOrder): boolean {
  if (order.column !== 'hostname' || (prepared.size >= MAX_PREPARED && !prepared.has(text))) return false
  prepared.add(text)
  return true
}

/**
 * A page of raw device records, as `deviceListJson` has them. Reads only the devices of the page, so that clients need
 * not fetch tens of thousands of devices at once. Throws StoreError.
 */
export async function deviceListPage(
  { sql }: Pick<Store, 'sql'>,
  scope: Scope,
  filter: DeviceFilter,
  order: DeviceOrder,
  { columns, limit, offset, secrets }: DevicePageOptions,
): Promise<DevicePage> {
  const values: (string | number | readonly number[])[] = []
  const parameter = (value: string | number | readonly number[]) => `$${values.push(value)}`
  const seen = scope.kind === 'all' ? 'true' : `d.device_id in (${grantedDevicesText(scope, parameter)})`
  const matching = `from devices d left join locations l on l.id = d.location_id
    where ${seen} and ${condition(filter, parameter)}`
  const part = deviceRecordPart(columns, secrets)
  const by = orderSql(order)
  const text = `
    with page as materialized (
      select d.device_id ${matching} order by ${by} limit ${parameter(limit)}::bigint offset ${parameter(offset)}::bigint)
    select (select count(*) ${matching})::int, array(
      select (select row_to_json(t)::text from (select ${part.columns}) t)
      from page join devices d using (device_id) left join locations l on l.id = d.location_id
      ${part.parents ? parentsOf(scope) : ''} order by ${by})`
  const [found] = await sql.unsafe(text, values as never[], { prepare: staysPrepared(text, order) }).values()
  const [total, records] = found as unknown as [number, string[]]
  const json = `[${records.join()}]`
  return { json: secrets ? openRecords(json) : json, count: records.length, total }
}
