import type { Store } from '../database/client.ts'

/** An alert or event at a time. */
export interface ChartAnnotation {
  /** Epoch seconds. */
  readonly at: number
  readonly kind: 'alert' | 'event'
  readonly text: string
  /** State of an alert: 0 ended, 1 active, 2 acknowledged, 3 worse, 4 better, 5 changed. Severity of an event. */
  readonly state: number
  /** The alert, if it still exists. */
  readonly alert_id: number | null
}

/** What was logged about a device in a time range; `portId` limits events to those of the port. */
export interface ChartAnnotationsQuery {
  readonly deviceId: number
  readonly portId: number | null
  /** Epoch seconds. */
  readonly fromS: number
  readonly toS: number
  readonly alerts: boolean
  readonly events: boolean
  readonly limit: number
}

/** For a device: events from notice on, without those of its ports, which would hide the others. */
const LEAST_SEVERITY = 3

/** Alerts that began, changed or ended, and events worth knowing, the latest first. */
export async function chartAnnotations({ sql }: Store, q: ChartAnnotationsQuery): Promise<ChartAnnotation[]> {
  return await sql<ChartAnnotation[]>`
      select * from (
        (select extract(epoch from l.time_logged)::float8 as at, 'alert' as kind, concat(coalesce(r.name, ''), ' by ' || (l.details ->> 'by')) as text, l.state,
          a.id as alert_id
        from alert_log l left join alert_rules r on r.id = l.rule_id
          left join alerts a on a.rule_id = l.rule_id and a.device_id = l.device_id
        where ${q.alerts} and l.device_id = ${q.deviceId} and l.time_logged between to_timestamp(${q.fromS}) and to_timestamp(${q.toS})
        order by l.time_logged desc limit ${q.limit})
        union all
        (select extract(epoch from e.datetime)::float8, 'event', left(e.message, 200), e.severity, null
        from eventlog e
        where ${q.events} and e.device_id = ${q.deviceId} and e.datetime between to_timestamp(${q.fromS}) and to_timestamp(${q.toS})
          and ${q.portId === null ? sql`e.severity >= ${LEAST_SEVERITY} and e.type <> 'interface'` : sql`e.type = 'interface' and e.reference = ${String(q.portId)}`}
        order by e.datetime desc, e.event_id desc limit ${q.limit})) x
      order by at desc limit ${q.limit}`
}
