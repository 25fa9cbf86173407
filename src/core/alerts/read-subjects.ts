import { ALERT_IS_OPEN } from '../base/alert-states.ts'
import { NOT_ASKED } from '../base/not-asked.ts'
import type { Store, Tx } from '../database/client.ts'
import { integers } from '../database/pg-array.ts'
import type { EngineFault } from './faults/evolve.ts'
import { alertKey, liveFaults } from './faults/write-engine.ts'
import { appliesSql, type RunnableRule } from './write-evaluation.ts'

/** An alert as the engine stores it. Times in epoch ms. */
export interface AlertRow {
  readonly id: number
  readonly state: 0 | 1 | 2 | 3 | 4 | 5
  readonly open: number
  readonly alerted: 0 | 1 | 2 | 3 | 4 | 5
  readonly digest: string | null
  readonly faults: Readonly<Record<string, number>>
  readonly changed_at: number
  readonly began_at: number | null
  /** Epoch seconds. */
  readonly begins: readonly number[]
  readonly notified: number
  readonly notified_at: number | null
  readonly next_at: number | null
  readonly held: string | null
  /** How far the rule's operation is, JSON; null: nothing was sent by one. */
  readonly steps: unknown
  /** Transports that were told of the problem by an operation. */
  readonly told: readonly number[]
  readonly note: string
  /** JSON text. */
  readonly info: string
}

/** Columns of the device that notifications show. */
export interface SubjectDevice {
  readonly device_id: number
  readonly hostname: string
  readonly sysName: string | null
  readonly sysDescr: string | null
  readonly sysContact: string | null
  readonly display: string
  readonly os: string | null
  readonly type: string
  readonly ip: string | null
  readonly hardware: string | null
  readonly version: string | null
  readonly features: string | null
  readonly serial: string | null
  readonly location: string | null
  readonly purpose: string | null
  /** Of the device. */
  readonly notes: string | null
  /** Seconds. */
  readonly uptime: number | null
  readonly status: number
  readonly status_reason: string
  /** Epoch ms. */
  readonly last_ping: number | null
  /** ms. */
  readonly last_ping_timetaken: number | null
  readonly parents: readonly number[]
}

/** A device, the rule's alert on it, and what the decision depends on. */
export interface AlertSubject {
  readonly device: SubjectDevice
  /** The rule applies to the device; to one that nothing has asked yet, none does. */
  readonly applies: boolean
  /** Its last poll failed, so values that polls read are out of date. */
  readonly unread: boolean
  readonly alert: AlertRow | null
  /** The alert's faults that the engine still needs. */
  readonly faults: readonly EngineFault[]
}

/** A rule and devices on which its alerts are wanted. */
export interface WantedSubjects {
  readonly rule: Pick<RunnableRule, 'id' | 'mapped' | 'invertMap'>
  readonly deviceIds: readonly number[]
}

/** The devices, with the rule's alerts on them, as they are now. */
export async function alertSubjects(
  { sql }: Store,
  rule: Pick<RunnableRule, 'id' | 'mapped' | 'invertMap'>,
  deviceIds: readonly number[],
): Promise<AlertSubject[]> {
  return await sql.begin('read only', async (tx) => {
    const subjects = await subjectsOf(tx, [{ rule, deviceIds }], { lock: false })
    return [...(subjects.get(rule.id) ?? [])]
  })
}

/** Devices on which the rule has an open alert. */
export async function alertedDevices({ sql }: Store, ruleId: number): Promise<number[]> {
  const rows = await sql<{ device_id: number }[]>`
      select a.device_id from alerts a where a.rule_id = ${ruleId} and ${sql.unsafe(ALERT_IS_OPEN)} order by a.device_id`
  return rows.map(({ device_id }) => device_id)
}

const ms = (column: string) => `(extract(epoch from ${column}) * 1000)::float8`

/** Every rule applies to these devices, unless it is mapped to some. */
const EVERY_RULE = { id: 0, mapped: false, invertMap: false }

/**
 * The devices of each rule, by its id, with the rule's alerts on them. One statement of a kind reads them for all rules,
 * and all are sent together: on a device that goes down, fifty rules have one alert each. `lock`: the alerts are locked for
 * a change, in the order of rules and devices, after the devices, which stay.
 */
export async function subjectsOf(
  tx: Tx,
  wanted: readonly WantedSubjects[],
  { lock }: { readonly lock: boolean },
): Promise<ReadonlyMap<number, readonly AlertSubject[]>> {
  const pairs = wanted.flatMap(({ rule, deviceIds }) => deviceIds.map((id) => [rule.id, id] as const))
  const [ruleIds, deviceIds] = [integers(pairs.map(([id]) => id)), integers(pairs.map(([, id]) => id))]
  const devicesOfAll = integers([...new Set(pairs.map(([, id]) => id))])
  const mapped = wanted.filter(({ rule }) => rule.mapped)
  // Begun in this order: the devices are locked before their alerts, as by whoever deletes them; what is read of an alert,
  // and what people do to its faults, waits for its lock. (The driver would send what an async function awaits first.)
  const readingDevices = tx<(SubjectDevice & { applies: boolean; unread: boolean; unasked: boolean })[]>`
    select d.device_id, d.hostname, d."sysName", d."sysDescr", d."sysContact", d.display, d.os, d.type, host(d.ip) as ip,
      d.hardware, d.version, d.features, d.serial, l.location, d.purpose, d.notes, d.uptime, d.status, d.status_reason,
      ${tx.unsafe(`${ms('d.last_ping')} as last_ping`)}, d.last_ping_timetaken,
      p.ids as parents,
      (${tx.unsafe(appliesSql(EVERY_RULE, 'd'))}) as applies,
      ${tx.unsafe(NOT_ASKED)} as unasked,
      (d.status = 0 or coalesce(d.last_poll_attempted > d.last_polled, false)) as unread
    from devices d left join locations l on l.id = d.location_id
    cross join lateral (
      select coalesce(array_agg(r.parent_device_id order by r.further, r.parent_device_id), '{}') as ids
      from device_relationships r
      where r.child_device_id = d.device_id) p
    where d.device_id = any(${devicesOfAll}::text::int[])
    order by d.device_id ${lock ? tx`for key share of d` : tx``}`.execute()
  const reading = tx<({ rule_id: number; device_id: number } & AlertRow)[]>`
    select a.rule_id, a.device_id, a.id, a.state, a.open, a.alerted, a.digest, a.faults, a.begins, a.notified, a.held, a.steps, a.told,
      coalesce(a.note, '') as note, a.info,
      ${tx.unsafe(`${ms('a."timestamp"')} as changed_at, ${ms('a.began_at')} as began_at, ${ms('a.notified_at')} as notified_at, ${ms('a.next_at')} as next_at`)}
    from unnest(${ruleIds}::text::int[], ${deviceIds}::text::int[]) x (rule_id, device_id)
      join alerts a on a.rule_id = x.rule_id and a.device_id = x.device_id
    order by a.rule_id, a.device_id ${lock ? tx`for update of a` : tx``}`.execute()
  const applying = mapped.map(({ rule, deviceIds: ids }) =>
    tx<{ device_id: number }[]>`
      select d.device_id from devices d
      where d.device_id = any(${integers(ids)}::text::int[]) and ${tx.unsafe(appliesSql(rule, 'd'))}`.execute(),
  )
  const [alerts, devices, faults, ...mappedTo] = await Promise.all([
    reading,
    readingDevices,
    liveFaults(tx, ruleIds, deviceIds),
    ...applying,
  ])
  const alertOf = new Map(alerts.map(({ rule_id, device_id, ...alert }) => [alertKey(rule_id, device_id), alert]))
  const deviceOf = new Map(devices.map((device) => [device.device_id, device]))
  const applyingTo = new Map(
    mapped.map(({ rule }, i) => [rule.id, new Set(mappedTo[i]?.map(({ device_id }) => device_id))]),
  )
  return new Map(
    wanted.map(({ rule, deviceIds: ids }) => {
      const own = ids
        .toSorted((a, b) => a - b)
        .flatMap((id): AlertSubject[] => {
          const found = deviceOf.get(id)
          if (found === undefined) return []
          const { applies, unread, unasked, ...device } = found
          const of = alertKey(rule.id, id)
          return [
            {
              device,
              applies: !unasked && (applyingTo.get(rule.id)?.has(id) ?? applies),
              unread,
              alert: alertOf.get(of) ?? null,
              faults: faults.get(of) ?? [],
            },
          ]
        })
      return [rule.id, own]
    }),
  )
}
