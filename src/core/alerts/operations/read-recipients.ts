import type { Sql, Tx } from '../../database/client.ts'
import { integers } from '../../database/pg-array.ts'
import { type Target, targetText } from './operation.ts'
import type { Recipients } from './plan.ts'

/**
 * The transports that reach whoever is on call in a schedule at a time (epoch ms), for the `attempt`th notification of a
 * problem of this severity.
 */
export type OnCall = (
  sql: Sql | Tx,
  scheduleId: number,
  atMs: number,
  severity: string,
  attempt: number,
) => Promise<readonly number[]>

export const nobodyOnCall: OnCall = async () => []

/** Transports that get a notification of an alert, and all that have been notified of its problem by then. */
export interface AlertRecipients {
  /** null: those of the rule, as there is no operation. */
  readonly to: readonly number[] | null
  readonly told: readonly number[]
}

/** SQL of a rule's transports: those mapped to it, directly or through a group; otherwise the default ones. */
export const transportsOfRule = (rule: string, columns = 't.transport_id, t.transport_name'): string => `
  select ${columns} from alert_transports t
  where t.transport_id in (
      select m.transport_id from alert_transport_map m where m.rule_id = ${rule}
      union select g.transport_id from alert_transport_map m
        join transport_group_transport g on g.transport_group_id = m.transport_group_id where m.rule_id = ${rule})
    or (t.is_default = 1 and not exists (select from alert_transport_map m where m.rule_id = ${rule}))`

/** Maximum number of transports that are remembered as notified. */
const MAX_TOLD = 1000

/** The transports behind targets, ascending. Those that are gone have none. */
async function transportsOf(sql: Tx, targets: readonly Target[]): Promise<ReadonlyMap<string, readonly number[]>> {
  const of = (type: Target['type']) => integers(targets.flatMap((one) => (one.type === type ? [one.id] : [])))
  const rows = await sql<{ type: 'single' | 'group'; id: number; transport: number }[]>`
    select 'single' as type, transport_id as id, transport_id as transport from alert_transports
    where transport_id = any(${of('single')}::text::int[])
    union all
    select 'group', transport_group_id, transport_id from transport_group_transport
    where transport_group_id = any(${of('group')}::text::int[])
    order by transport`
  const found = Map.groupBy(rows, ({ type, id }) => targetText({ type, id }))
  return new Map([...found].map(([text, some]) => [text, some.map(({ transport }) => transport)]))
}

/** Who gets the notifications of alerts, by device. Targets are looked up once for all of them. */
export async function recipientsOf(
  tx: Tx,
  writes: readonly { readonly deviceId: number; readonly notification: { readonly to: Recipients | null } | null }[],
  subjects: readonly {
    readonly device: { readonly device_id: number }
    readonly alert: { readonly told: readonly number[] } | null
  }[],
  {
    onCall,
    severity,
    now,
  }: {
    readonly onCall: OnCall
    readonly severity: string
    /** Epoch ms. */
    readonly now: number
  },
): Promise<ReadonlyMap<number, AlertRecipients>> {
  const toldBefore = new Map(subjects.map(({ device, alert }) => [device.device_id, alert?.told ?? []]))
  const targets = writes.flatMap(({ notification }) => notification?.to?.targets ?? [])
  const fixed = new Map(targets.filter(({ type }) => type !== 'on_call').map((one) => [targetText(one), one]))
  const transports =
    fixed.size === 0 ? new Map<string, readonly number[]>() : await transportsOf(tx, [...fixed.values()])
  const duties = new Map<string, readonly number[]>()
  async function behind(target: Target, attempt: number): Promise<readonly number[]> {
    if (target.type !== 'on_call') return transports.get(targetText(target)) ?? []
    const duty = `${target.id} ${attempt}`
    const known = duties.get(duty) ?? (await onCall(tx, target.id, now, severity, attempt))
    duties.set(duty, known)
    return known
  }
  const recipients = new Map<number, AlertRecipients>()
  for (const { deviceId, notification } of writes) {
    const before = toldBefore.get(deviceId) ?? []
    const to = notification?.to ?? null
    if (to === null) {
      recipients.set(deviceId, { to: null, told: before })
      continue
    }
    const named: number[] = []
    for (const target of to.targets) named.push(...(await behind(target, to.attempt)))
    const all = [...new Set([...named, ...(to.told ? before : [])])]
    const told = to.fresh ? all : [...new Set([...before, ...all])]
    recipients.set(deviceId, { to: all, told: told.slice(0, MAX_TOLD) })
  }
  return recipients
}
