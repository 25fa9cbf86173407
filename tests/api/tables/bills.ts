import { expect } from 'bun:test'
import { type Answer, mint, type TestApi } from '../../support/api.ts'
import type { Seeded } from '../fixtures.ts'
import { get, member, message, type Row, send } from './row.ts'

const user = async (api: TestApi) => ({ token: (await api.token(['user'])).token })
const MISSING = 2_147_483_000

/** What a client sends for a bill. */
const body = (d: Seeded, more: object = {}) => ({
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

async function made(api: TestApi, d: Seeded, more: object = {}): Promise<number> {
  return Number(member(await api.call('POST', '/api/v0/bills', { body: body(d, more) }), 'bill_id'))
}

/** A bill with 12 samples of 5 minutes up to 2026-08-10 01:00 local time, and a finished and a running period. */
async function counted(api: TestApi, d: Seeded, more: object = {}): Promise<{ id: number; histId: number }> {
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

const local = (year: number, month: number, ...rest: [number, number?, number?, number?]) =>
  new Date(year, month, rest[0], rest[1] ?? 0, rest[2] ?? 0, rest[3] ?? 0)
const END = local(2026, 7, 10, 1)
const endS = END.getTime() / 1000
const data = (answer: Answer) => member(answer, 'graph_data')
const window = `from=${endS - 3600}&to=${endS}`

/** A user with setting enable_billing on, who was granted the bill; the setting is off again after the request. */
async function grantee(api: TestApi, billId: number) {
  const { token, username } = await api.token(['user'])
  await api.store.sql`insert into bill_perms (user_id, bill_id)
    select user_id, ${billId} from users where username = ${username}`
  return token
}

async function billing(api: TestApi, on: boolean): Promise<void> {
  await api.services.settings.set('enable_billing', String(on))
  api.settings.applyStored(await api.services.settings.stored())
}

const forbidden = (path: (id: number) => string): Pick<Row, 'status' | 'name' | 'request' | 'check'> => ({
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

export const BILL_ROWS: readonly Row[] = [
  {
    operation: 'create_edit_bill',
    status: 200,
    name: 'a new bill reads back as it was written',
    request: (d) => send('POST', '/bills', body(d)),
    check: async (a, d, api) => {
      const id = Number(member(a, 'bill_id'))
      expect(a.json).toEqual({ status: 'ok', bill_id: id })
      const answer = await api.call('GET', `/api/v0/bills/${id}`)
      expect(answer.json).toEqual({
        status: 'ok',
        message: '',
        count: 1,
        bills: [
          {
            ...body(d),
            bill_id: id,
            bill_day: 1,
            bill_cdr: 0,
            dir_95th: 'in',
            rate_95th_in: 0,
            rate_95th_out: 0,
            rate_95th: 0,
            total_data: 0,
            total_data_in: 0,
            total_data_out: 0,
            rate_average_in: 0,
            rate_average_out: 0,
            rate_average: 0,
            bill_last_calc: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
            bill_autoadded: 0,
            ports_total: 2,
            bill_allowed: 2_000_000_000_000,
            allowed: '2 TB',
            used: '0 B',
            percent: 0,
            overuse: '-',
            ports: [
              { device_id: d.deviceId, port_id: d.portIds[0], ifName: 'Gi0/1' },
              { device_id: d.deviceId, port_id: d.portIds[1], ifName: 'Gi0/2' },
            ],
          },
        ],
      })
    },
  },
  {
    operation: 'create_edit_bill',
    status: 200,
    name: 'an update changes what is sent; ports are replaced as a whole',
    request: async (d, api) => {
      const id = await made(api, d)
      return send('POST', '/bills', { bill_id: String(id), bill_type: 'cdr', bill_cdr: '1e7', ports: [d.portIds[1]] })
    },
    check: async (a, d, api) => {
      const path = `/api/v0/bills/${member(a, 'bill_id')}`
      const one = { bill_type: 'cdr', bill_cdr: 1e7, allowed: '10 Mbps', bill_notes: 'a note', ports_total: 1 }
      expect(member(await api.call('GET', path), 'bills')).toMatchObject([
        { ...one, ports: [{ port_id: d.portIds[1] }] },
      ])
      await api.call('POST', '/api/v0/bills', { body: { bill_id: member(a, 'bill_id'), ports: [] } })
      expect(member(await api.call('GET', path), 'bills')).toMatchObject([{ ...one, ports_total: 0, ports: [] }])
    },
  },
  {
    operation: 'create_edit_bill',
    status: 400,
    name: 'values that a bill cannot have',
    request: async (d, api) => {
      for (const [more, words] of [
        [{ bill_cdr: 'fast' }, 'Invalid value for bill_cdr. Must be numeric.'],
        [{ bill_quota: [] }, 'Invalid value for bill_quota. Must be numeric'],
        [{ bill_day: 32 }, 'Invalid value for bill_day. range: 1-31'],
        [{ dir_95th: 'up' }, 'Invalid value for dir_95th: up. Allowed: in,out,agg'],
      ] as const) {
        const answer = await api.call('POST', '/api/v0/bills', { body: body(d, more) })
        expect({ status: answer.status, message: message(answer) }).toEqual({ status: 400, message: words })
      }
      return send('POST', '/bills', body(d, { bill_type: 'CDR' }))
    },
    check: (a) => expect(message(a)).toBe('Invalid value for bill_type: CDR. Allowed: quota,cdr'),
  },
  {
    operation: 'create_edit_bill',
    status: 500,
    name: 'unknown ports, before anything is written',
    request: async (d, api) => {
      const id = await made(api, d)
      return send('POST', '/bills', { bill_id: id, bill_name: 'changed', ports: [d.portIds[0], MISSING] })
    },
    check: async (a, d, api) => {
      expect(message(a)).toBe(`Port ${MISSING} does not exists`)
      const list = await api.call('GET', `/api/v0/bills?custid=${encodeURIComponent(`customer ${d.deviceId}`)}`)
      expect(member(list, 'bills')).toMatchObject([{ bill_name: `Bill ${d.hostname}`, ports_total: 2 }])
    },
  },
  {
    operation: 'create_edit_bill',
    status: 500,
    name: 'no body, ids that are none, and what is missing',
    request: async (d, api) => {
      for (const [sent, words] of [
        ['', 'Invalid JSON data'],
        ['{', 'Invalid JSON data'],
        [body(d, { ports: ['x'] }), 'Port x does not exists'],
        [body(d, { bill_id: MISSING }), 'Argument bill_id is not allowed on bill create (auto assigned)'],
        [
          { bill_type: 'cdr', bill_name: 'x' },
          'Missing parameters:  bill_cdr bill_day bill_custid bill_ref bill_notes',
        ],
      ] as const) {
        const answer = await api.call('POST', '/api/v0/bills', { body: sent })
        expect({ status: answer.status, message: message(answer) }).toEqual({ status: 500, message: words })
      }
      return send('POST', '/bills', body(d, { bill_quota: undefined }))
    },
    check: (a) => expect(message(a)).toBe('Missing parameters:  bill_quota'),
  },
  {
    operation: 'create_edit_bill',
    status: 403,
    name: 'users',
    request: async (d, api) => send('POST', '/bills', body(d), await user(api)),
  },
  {
    operation: 'list_bills',
    status: 200,
    name: 'by name; of a customer rather than of a reference',
    request: async (d, api) => {
      await made(api, d, { bill_name: 'b' })
      await made(api, d, { bill_name: 'a', bill_ref: 'other' })
      return get(`/bills?ref=other&custid=${encodeURIComponent(`customer ${d.deviceId}`)}`)
    },
    check: (a) => {
      expect(member(a, 'bills')).toMatchObject([{ bill_name: 'a' }, { bill_name: 'b' }])
      expect(a.json).toMatchObject({ message: '', count: 2 })
    },
  },
  {
    operation: 'list_bills',
    status: 200,
    name: 'nobody has that reference',
    request: () => get(`/bills?ref=none${mint()}`),
    check: (a) => expect(a.json).toEqual({ status: 'ok', bills: [], message: '', count: 0 }),
  },
  {
    operation: 'list_bills',
    status: 200,
    name: 'a user sees those that were granted',
    request: async (d, api) => {
      const [mine] = [await made(api, d), await made(api, d)]
      await billing(api, true)
      return get('/bills', { token: await grantee(api, mine) })
    },
    check: async (a, _, api) => {
      await billing(api, false)
      expect(member(a, 'count')).toBe(1)
    },
  },
  {
    operation: 'list_bills',
    status: 200,
    name: 'the previous period',
    request: async (d, api) => {
      await counted(api, d)
      return get(`/bills?period=previous&ref=${encodeURIComponent(`ref ${d.deviceId}`)}`)
    },
    check: (a) =>
      expect(member(a, 'bills')).toMatchObject([
        {
          bill_type: 'Quota',
          bill_percent: '50.00',
          total_data: 500,
          total_data_in: 200,
          allowed: '1 kB',
          used: '500 B',
          percent: 50,
          ports_total: 2,
          pdf: null,
        },
      ]),
  },
  {
    operation: 'list_bills',
    status: 403,
    name: 'users while setting enable_billing is off',
    request: async (_, api) => get('/bills', await user(api)),
    check: (a) => expect(message(a)).toBe('This action is unauthorized.'),
  },
  {
    operation: 'get_bill',
    status: 200,
    name: 'none of that id',
    request: () => get(`/bills/${MISSING}`),
    check: (a) => expect(a.json).toEqual({ status: 'ok', bills: [], message: '', count: 0 }),
  },
  {
    operation: 'get_bill',
    status: 200,
    name: 'of a rate that is exceeded',
    request: async (d, api) => {
      const id = await made(api, d, { bill_type: 'cdr', bill_cdr: 10_000_000 })
      await api.store.sql`update bills set rate_95th = 139963765 where bill_id = ${id}`
      return get(`/bills/${id}`)
    },
    check: (a) =>
      expect(member(a, 'bills')).toMatchObject([
        { allowed: '10 Mbps', used: '139.96 Mbps', percent: 1399.64, overuse: '129.96 M' },
      ]),
  },
  {
    operation: 'get_bill',
    status: 403,
    name: 'users while setting enable_billing is off',
    request: async (_, api) => get('/bills/1', await user(api)),
  },
  {
    operation: 'get_bill_history',
    status: 200,
    name: 'the newest period first',
    request: async (d, api) => get(`/bills/${(await counted(api, d)).id}/history`),
    check: (a) => {
      expect(member(a, 'count')).toBe(2)
      expect(member(a, 'bill_history')).toMatchObject([
        { bill_datefrom: '2026-08-10 00:00:00', bill_dateto: '2026-09-09 23:59:59', bill_percent: '200.00', pdf: null },
        { bill_datefrom: '2026-08-09 00:00:00' },
      ])
    },
  },
  {
    operation: 'get_bill_history',
    status: 200,
    name: 'an unknown bill has none',
    request: () => get(`/bills/${MISSING}/history`),
    check: (a) => expect(a.json).toEqual({ status: 'ok', bill_history: [], count: 0 }),
  },
  { operation: 'get_bill_history', ...forbidden((id) => `/bills/${id}/history`) },
  {
    operation: 'get_bill_graphdata',
    status: 200,
    name: 'bits: a point for each four samples',
    request: async (d, api) => get(`/bills/${(await counted(api, d)).id}/graphdata/bits?${window}&reducefactor=4`),
    check: (a) => {
      expect(data(a)).toEqual({
        from: String(endS - 3600),
        to: String(endS),
        first: endS - 3300,
        last: endS,
        in_data: [100, 100, 100],
        out_data: [10, 10, 10],
        tot_data: [110, 110, 110],
        ticks: [endS - 2400, endS - 1200, endS],
        rate_95th: 0,
        rate_average: 0,
        bill_type: 'quota',
        max_in: 100,
        max_out: 10,
        ave_in: 100,
        ave_out: 10,
        last_in: 100,
        last_out: 10,
      })
      expect(member(a, 'count')).toBe(17)
    },
  },
  {
    operation: 'get_bill_graphdata',
    status: 200,
    name: 'bits without samples: defaults are numbers',
    request: async (d, api) => get(`/bills/${await made(api, d)}/graphdata/bits`),
    check: (a) => {
      expect(data(a)).toMatchObject({ from: expect.any(Number), first: null, last: null, in_data: [], ticks: [] })
      expect(data(a)).not.toHaveProperty('max_in')
    },
  },
  {
    operation: 'get_bill_graphdata',
    status: 200,
    name: 'monthly: twelve bars',
    request: async (d, api) => get(`/bills/${(await counted(api, d)).id}/graphdata/monthly`),
    check: (a) => {
      const { tot_data, allow_data, overuse_data, ticklabels } = data(a) as Record<string, unknown[]>
      expect([tot_data, allow_data, overuse_data].map((column) => column?.slice(0, 3))).toEqual([
        [2000, 500, 0],
        [1000, 1000, 0],
        [1000, 0, 0],
      ])
      expect(ticklabels).toHaveLength(12)
      expect(ticklabels?.[0]).toBe('2026-08-10 - 2026-09-09')
    },
  },
  {
    operation: 'get_bill_graphdata',
    status: 400,
    name: 'another type',
    request: async (d, api) => get(`/bills/${await made(api, d)}/graphdata/pie`),
    check: (a) => expect(message(a)).toBe('Unsupported graph type pie'),
  },
  { operation: 'get_bill_graphdata', ...forbidden((id) => `/bills/${id}/graphdata/bits`) },
  {
    operation: 'get_bill_graphdata',
    status: 404,
    name: 'an unknown bill',
    request: () => get(`/bills/${MISSING}/graphdata/bits`),
  },
  {
    operation: 'get_bill_graph',
    status: 200,
    name: 'bits',
    request: async (d, api) => get(`/bills/${(await counted(api, d)).id}/graphs/bits?${window}`),
    check: (a) => expect(a.headers.get('content-type')).toBe('image/png'),
  },
  {
    operation: 'get_bill_graph',
    status: 200,
    name: 'monthly',
    request: async (d, api) => get(`/bills/${(await counted(api, d)).id}/graphs/monthly?output=base64`),
    check: (a) => expect(member(a, 'count')).toBe(2),
  },
  {
    operation: 'get_bill_graph',
    status: 400,
    name: 'a time that is none',
    request: async (d, api) => get(`/bills/${(await counted(api, d)).id}/graphs/bits?from=nonsense`),
  },
  { operation: 'get_bill_graph', ...forbidden((id) => `/bills/${id}/graphs/bits`) },
  {
    operation: 'get_bill_graph',
    status: 500,
    name: 'another type',
    request: async (d, api) => get(`/bills/${await made(api, d)}/graphs/pie`),
    check: (a) => expect(message(a)).toBe('bill_pie template missing'),
  },
  {
    operation: 'get_bill_graph',
    status: 500,
    name: 'nothing was ever counted',
    request: async (d, api) => get(`/bills/${await made(api, d)}/graphs/bits`),
    check: (a) => expect(message(a)).toBe('No Data file bill_bits'),
  },
  ...(['bits', 'hour', 'day'] as const).map(
    (type): Row => ({
      operation: 'get_bill_history_graph',
      status: 200,
      name: type,
      request: async (d, api) => {
        const { id, histId } = await counted(api, d)
        return get(`/bills/${id}/history/${histId}/graphs/${type}`)
      },
      check: (a) => expect(a.headers.get('content-type')).toBe('image/png'),
    }),
  ),
  {
    operation: 'get_bill_history_graph',
    status: 400,
    name: 'another type',
    request: () => get(`/bills/${MISSING}/history/1/graphs/pie`),
    check: (a) => expect(message(a)).toBe('Unknown Graph Type pie'),
  },
  { operation: 'get_bill_history_graph', ...forbidden((id) => `/bills/${id}/history/1/graphs/bits`) },
  {
    operation: 'get_bill_history_graph',
    status: 500,
    name: 'an unknown period',
    request: async (d, api) => get(`/bills/${await made(api, d)}/history/${MISSING}/graphs/bits`),
    check: (a) => expect(message(a)).toBe('No Data file bill_historicbits'),
  },
  {
    operation: 'get_bill_history_graphdata',
    status: 200,
    name: 'bits: rates of the period',
    request: async (d, api) => {
      const { id, histId } = await counted(api, d)
      return get(`/bills/${id}/history/${histId}/graphdata/bits?reducefactor=1`)
    },
    check: (a) =>
      expect(data(a)).toMatchObject({
        from: local(2026, 7, 10).getTime() / 1000,
        rate_95th: 3,
        rate_average: 4,
        bill_type: 'Quota',
        in_data: Array<number>(12).fill(100),
      }),
  },
  {
    operation: 'get_bill_history_graphdata',
    status: 200,
    name: 'hour: those with data',
    request: async (d, api) => {
      const { id, histId } = await counted(api, d)
      return get(`/bills/${id}/history/${histId}/graphdata/hour`)
    },
    check: (a) =>
      expect(data(a)).toEqual({
        graph_name: 'Aug 10 12:00am - Sep 9 11:59pm',
        in_data: [41_250, 3750],
        out_data: [4125, 375],
        tot_data: [45_375, 4125],
        allow_data: [],
        ave_data: [24_750, 24_750, 24_750],
        overuse_data: [],
        ticklabels: ['00:00', '01:00'],
      }),
  },
  {
    operation: 'get_bill_history_graphdata',
    status: 200,
    name: 'day: every day of the period',
    request: async (d, api) => {
      const { id, histId } = await counted(api, d)
      return get(`/bills/${id}/history/${histId}/graphdata/day`)
    },
    check: (a) => {
      const { tot_data, ticklabels, ave_data } = data(a) as Record<string, unknown[]>
      expect([tot_data?.length, ticklabels?.length, ave_data?.length]).toEqual([31, 31, 32])
      expect([tot_data?.[0], ticklabels?.[0], tot_data?.[1]]).toEqual([49_500, '2026-08-10', 0])
    },
  },
  {
    operation: 'get_bill_history_graphdata',
    status: 400,
    name: 'an unknown period',
    request: async (d, api) => get(`/bills/${await made(api, d)}/history/${MISSING}/graphdata/bits`),
    check: (a) => expect(message(a)).toBe('Unsupported graph type bits'),
  },
  { operation: 'get_bill_history_graphdata', ...forbidden((id) => `/bills/${id}/history/1/graphdata/bits`) },
  {
    operation: 'delete_bill',
    status: 200,
    name: 'is gone after it, with all that belongs to it',
    request: async (d, api) => {
      const { id } = await counted(api, d)
      await grantee(api, id)
      return send('DELETE', `/bills/${id}`)
    },
    check: async (a, d, api) => {
      expect(a.json).toEqual({ status: 'ok', message: 'Bill has been removed' })
      const custid = encodeURIComponent(`customer ${d.deviceId}`)
      expect(member(await api.call('GET', `/api/v0/bills?custid=${custid}`), 'count')).toBe(0)
      const [left] = await api.store.sql<{ n: number }[]>`
        select (select count(*) from bill_data x left join bills b using (bill_id) where b.bill_id is null)::int as n`
      expect(left?.n).toBe(0)
    },
  },
  {
    operation: 'delete_bill',
    status: 400,
    name: 'ids that are none',
    request: async (_, api) => {
      expect(message(await api.call('DELETE', '/api/v0/bills/abc'))).toBe(
        'Could not remove bill with id abc. Invalid id',
      )
      return send('DELETE', `/bills/${MISSING}`)
    },
    check: (a) => expect(message(a)).toBe(`Could not remove bill with id ${MISSING}`),
  },
  {
    operation: 'delete_bill',
    status: 403,
    name: 'users',
    request: async (_, api) => send('DELETE', '/bills/1', undefined, await user(api)),
  },
]
