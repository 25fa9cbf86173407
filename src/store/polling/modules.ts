import type { Store } from '../client.ts'
import { guarded } from '../errors.ts'

/** Result and cost of a module in a discovery. */
export interface ModuleReport {
  readonly name: string
  readonly rows: number
  readonly requests: number
  readonly tookMs: number
  readonly note: string
  /** False: a walk was truncated; rows found before that are kept. */
  readonly complete: boolean
}

/** Stores results and costs of a device's modules, and deletes those of modules that did not run. */
export function writeModules({ sql }: Store, deviceId: number, modules: readonly ModuleReport[]): Promise<void> {
  const reports = JSON.stringify(modules)
  return guarded(() =>
    sql.begin(async (tx) => {
      await tx`
        with gone as (
          delete from device_modules where device_id = ${deviceId}
            and module not in (select m->>'name' from jsonb_array_elements(${reports}::text::jsonb) m))
        insert into device_modules (device_id, module, rows, requests, took_ms, note)
        select d.device_id, m.name, case when m.complete then m.rows else greatest(m.rows, coalesce(o.rows, 0)) end,
          m.requests, m."tookMs", m.note
        from devices d
          cross join jsonb_to_recordset(${reports}::text::jsonb)
            as m(name text, rows int, requests int, "tookMs" real, note text, complete boolean)
          left join device_modules o on o.device_id = d.device_id and o.module = m.name
        where d.device_id = ${deviceId}
        on conflict (device_id, module) do update set rows = excluded.rows, requests = excluded.requests,
          took_ms = excluded.took_ms, note = excluded.note, discovered_at = now()`
    }),
  ).then(() => undefined)
}
