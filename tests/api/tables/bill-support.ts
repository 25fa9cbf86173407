import { expect } from 'bun:test'
import type { TestApi } from '../../support/api.ts'
import type { Seeded } from '../fixtures.ts'
import { get, member, message, type Row } from './row.ts'

export const MISSING = 2_147_483_000

/** The body that a client sends for a bill. */
export const body = (d: Seeded, more: object = {}) => ({
  ports: [d.portIds[0], d.portIds[1]],
  bill_name: `Bill ${d.hostname}`,
  bill_day: '1',
  bill_type: 'quota',
  bill_quota: 2_000_000_000_000,
  bill_custid: `customer ${d.deviceId}`,
  bill_ref: `ref ${d.deviceId}`,
  bill_notes: 'a note',
  ...more,
})

export async function made(api: TestApi, d: Seeded, more: object = {}): Promise<number> {
  return Number(member(await api.call('POST', '/api/v0/bills', { body: body(d, more) }), 'bill_id'))
}

/** A bill with 12 samples of 5 minutes up to 2026-08-10 01:00 local time, and a finished and a running period. */
export async function counted(api: TestApi, d: Seeded, more: object = {}): Promise<{ id: number; histId: number }> {
  const id = await made(api, d, more)
  const { sql } = api.store
  await sql`insert into bill_data (bill_id, "timestamp", period, delta, in_delta, out_delta)
    select ${id}, ${END}::timestamptz - n * interval '5 minutes', 300, 4125, 3750, 375 from generate_series(0, 11) n`
  const [period] = await sql<{ bill_hist_id: number }[]>`
    insert into bill_history (bill_id, bill_datefrom, bill_dateto, bill_type, bill_allowed, bill_used, bill_overuse,
      bill_percent, rate_95th_in, rate_95th_out, rate_95th, dir_95th, rate_average, rate_average_in, rate_average_out,
      traf_in, traf_out, traf_total) values
      (${id}, ${local(2026, 7, 10)}, ${local(2026, 8, 9, 23, 59, 59)}, 'Quota', 1000, 2000, 1000, 200, 1, 2, 3, 'in', 4, 5, 6,
        700, 800, 1500),
      (${id}, ${local(2026, 7, 9)}, ${new Date(Date.now() - 86_400_000)}, 'Quota', 1000, 500, 0, 50, 1, 2, 3, 'in', 4, 5, 6,
        200, 300, 500)
    returning bill_hist_id`
  return { id, histId: period?.bill_hist_id ?? 0 }
}

export const local = (year: number, month: number, ...rest: [number, number?, number?, number?]) =>
  new Date(year, month, rest[0], rest[1] ?? 0, rest[2] ?? 0, rest[3] ?? 0)
export const END = local(2026, 7, 10, 1)
export const endS = END.getTime() / 1000

/** A user who was granted the bill; setting enable_billing is on during the request. */
export async function grantee(api: TestApi, billId: number) {
  const { token, username } = await api.token(['user'])
  await api.store.sql`insert into bill_perms (user_id, bill_id)
    select user_id, ${billId} from users where username = ${username}`
  return token
}

export async function billing(api: TestApi, on: boolean): Promise<void> {
  await api.services.settings.set('enable_billing', String(on))
  api.settings.applyStored(await api.services.settings.stored())
}

export const forbidden = (path: (id: number) => string): Pick<Row, 'status' | 'name' | 'request' | 'check'> => ({
  status: 403,
  name: 'a bill that was not granted',
  request: async (d, api) => {
    const [mine, other] = [await made(api, d), await made(api, d)]
    await billing(api, true)
    return get(path(other), { token: await grantee(api, mine) })
  },
  check: async (a, _, api) => {
    await billing(api, false)
    expect(message(a)).toBe('Insufficient permissions to access this bill')
  },
})
