import type { Store } from '../../database/client.ts'
import type { RemotePollerReport } from './read.ts'
import type { Position } from './write-delivery.ts'

/** NOTIFY channel: remote pollers were added or removed. */
export const SITES_CHANNEL = 'portlight_sites'

/** Values of a remote poller set by a person. */
export interface RemotePollerValues {
  readonly name: string
  readonly public_key: string
  readonly poller_group: number
  readonly domain: string
}

/** Adds a remote poller; returns false when another one has its name, key or group. */
export async function insertRemotePoller({ sql }: Store, values: RemotePollerValues): Promise<boolean> {
  const { name, public_key, poller_group, domain } = values
  return await sql.begin(async (tx) => {
    const rows = await tx`
        insert into remote_pollers (name, public_key, poller_group, domain)
        values (${name}, ${public_key}, ${poller_group}, ${domain}) on conflict do nothing returning id`
    await tx`select pg_notify(${SITES_CHANNEL}, '')`
    return rows.length > 0
  })
}

/** Removes a remote poller; the centre polls its devices from then on. Returns false when there is none. */
export async function deleteRemotePoller({ sql }: Store, name: string): Promise<boolean> {
  return await sql.begin(async (tx) => {
    const rows = await tx`delete from remote_pollers where name = ${name} returning id`
    await tx`select pg_notify(${SITES_CHANNEL}, '')`
    return rows.length > 0
  })
}

/** The private key with this name, made by `make` if there is none. */
export async function siteKey(
  { sql }: Store,
  name: string,
  make: () => { readonly private_key: string; readonly public_key: string },
): Promise<string> {
  const [known] = await sql<{ private_key: string }[]>`select private_key from site_keys where name = ${name}`
  if (known !== undefined) return known.private_key
  const { private_key, public_key } = make()
  await sql`
      insert into site_keys (name, private_key, public_key) values (${name}, ${private_key}, ${public_key})
      on conflict do nothing`
  // another process may have been first
  const [row] = await sql<{ private_key: string }[]>`select private_key from site_keys where name = ${name}`
  return row?.private_key ?? private_key
}

/** Stores the state of a remote poller and of its stream. */
export async function writeRemoteReport({ sql }: Store, pollerId: number, report: RemotePollerReport): Promise<void> {
  return await sql`
      update remote_pollers set report = ${JSON.stringify(report)}::text::jsonb, reported_at = now() where id = ${pollerId}`.then(
    () => undefined,
  )
}

/** Refused messages kept for each poller, and bytes up to which a message is kept with its content. */
const KEPT_REFUSALS = 100
const KEPT_OCTETS = 65_536

/** Sets a refused message aside, as it was received; the oldest ones beyond KEPT_REFUSALS are deleted. */
export async function writeRefusal(
  { sql }: Store,
  pollerId: number,
  refusal: {
    readonly reason: string
    readonly position: string
    readonly message: Uint8Array
    /** Where the poller's mark moves to, so that the message does not count as missing; null: it stays. */
    readonly arrived: Position | null
  },
): Promise<void> {
  const { reason, position, message, arrived } = refusal
  const kept = message.length > KEPT_OCTETS ? null : Buffer.from(message)
  return await sql
    .begin(async (tx) => {
      if (arrived !== null)
        await tx`
          update remote_pollers set epoch = ${arrived.epoch}, sequence = ${arrived.sequence},
            missing = missing + ${arrived.sequence} - 1 - case when epoch = ${arrived.epoch} then sequence else 0 end
          where id = ${pollerId} and (epoch, sequence) < (${arrived.epoch}, ${arrived.sequence})`
      await tx`
        insert into remote_poller_refusals (poller_id, reason, position, octets, message)
        values (${pollerId}, ${reason}, ${position}, ${message.length}, ${kept})`
      await tx`
        delete from remote_poller_refusals where poller_id = ${pollerId} and id <= (
          select id from remote_poller_refusals where poller_id = ${pollerId} order by id desc offset ${KEPT_REFUSALS} limit 1)`
    })
    .then(() => undefined)
}
