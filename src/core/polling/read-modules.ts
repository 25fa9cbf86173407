import type { Store } from '../database/client.ts'

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
export async function writeModules({ sql }: Store, deviceId: number, modules: readonly ModuleReport[]): Promise<void> {
  const reports = JSON.stringify(modules.map(({ tookMs, ...rest }) => ({ ...rest, took_ms: tookMs })))
  return await sql`
        with gone as (
          delete from device_modules where device_id = ${deviceId}
            and module not in (select m->>'name' from jsonb_array_elements(${reports}::text::jsonb) m))
        merge into device_modules o
        using (
          select d.device_id, m.* from devices d
            cross join jsonb_to_recordset(${reports}::text::jsonb)
              as m(name text, rows int, requests int, took_ms real, note text, complete boolean)
          where d.device_id = ${deviceId}) m
        on o.device_id = m.device_id and o.module = m.name
        when matched then update set rows = case when m.complete then m.rows else greatest(m.rows, o.rows) end,
          requests = m.requests, took_ms = m.took_ms, note = m.note, discovered_at = now()
        when not matched then insert (device_id, module, rows, requests, took_ms, note)
          values (m.device_id, m.name, m.rows, m.requests, m.took_ms, m.note)`.then(() => undefined)
}
