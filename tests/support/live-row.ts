import type { Store } from '../../src/core/database/client.ts'

/** A row of the view ts.port_live with numbers as the API's reader gives them: numbers where exact, else text. */
export async function liveRow(store: Store, portId: number): Promise<Record<string, number | string | null>> {
  const [row] = await store.sql<
    Record<string, number | string | null>[]
  >`select * from ts.port_live where port_id = ${portId}`
  const { port_id: _port, device_id: _device, ...counters } = row ?? {}
  return Object.fromEntries(
    Object.entries(counters).map(([name, value]) => [
      name,
      value !== null && Number.isSafeInteger(Number(value)) ? Number(value) : value,
    ]),
  )
}
