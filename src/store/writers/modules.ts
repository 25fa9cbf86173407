import type { Store } from '../client.ts'
import { guarded } from '../errors.ts'

/** What one module found and cost at a discovery. */
export interface ModuleReport {
  readonly name: string
  readonly rows: number
  readonly requests: number
  readonly tookMs: number
  readonly note: string
}

/** Keeps what a device's modules found and cost; modules that were not run are forgotten. */
export function writeModules({ sql }: Store, deviceId: number, modules: readonly ModuleReport[]): Promise<void> {
  const reports = JSON.stringify(modules)
  return guarded(() =>
    sql.begin(async (tx) => {
      await tx`delete from device_modules where device_id = ${deviceId}`
      await tx`
        insert into device_modules (device_id, module, rows, requests, took_ms, note)
        select d.device_id, m.name, m.rows, m.requests, m."tookMs", m.note
        from devices d, jsonb_to_recordset(${reports}::text::jsonb) as m(name text, rows int, requests int, "tookMs" real, note text)
        where d.device_id = ${deviceId}`
    }),
  ).then(() => undefined)
}
