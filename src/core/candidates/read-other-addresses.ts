import type { Store } from '../database/client.ts'

/** An address at which a device also answers, besides the one by which it is polled. */
export interface OtherAddress {
  readonly address: string
  readonly firstSeen: Date
  readonly lastSeen: Date
}

export async function otherAddresses({ sql }: Store, deviceId: number): Promise<OtherAddress[]> {
  return await sql<OtherAddress[]>`
      select host(address) as address, first_seen as "firstSeen", last_seen as "lastSeen"
      from device_other_addresses where device_id = ${deviceId} order by address`
}
