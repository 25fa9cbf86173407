import { expect } from 'bun:test'
import { mint, type TestApi } from '../../support/api.ts'
import { billing, body, counted, forbidden, grantee, MISSING, made } from './bill-support.ts'
import { get, member, message, type Row, send } from './row.ts'

const user = async (api: TestApi) => ({ token: (await api.token(['user'])).token })

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
    name: 'an update changes the members sent; ports are replaced as a whole',
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
    name: 'invalid values',
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
    status: 404,
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
    status: 400,
    name: 'no body, invalid ids, and what is missing',
    request: async (d, api) => {
      for (const [sent, status, words] of [
        ['', 400, 'Invalid JSON data'],
        ['{', 400, 'Invalid JSON data'],
        [body(d, { ports: ['x'] }), 404, 'Port x does not exists'],
        [body(d, { bill_id: MISSING }), 404, 'Argument bill_id is not allowed on bill create (auto assigned)'],
        [
          { bill_type: 'cdr', bill_name: 'x' },
          400,
          'Missing parameters:  bill_cdr bill_day bill_custid bill_ref bill_notes',
        ],
      ] as const) {
        const answer = await api.call('POST', '/api/v0/bills', { body: sent })
        expect({ status: answer.status, message: message(answer) }).toEqual({ status, message: words })
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
    name: 'unknown reference',
    request: () => get(`/bills?ref=none${mint()}`),
    check: (a) => expect(a.json).toEqual({ status: 'ok', bills: [], message: '', count: 0 }),
  },
  {
    operation: 'list_bills',
    status: 200,
    name: 'a user sees granted ones',
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
    operation: 'delete_bill',
    status: 200,
    name: 'is deleted with everything that belongs to it',
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
    name: 'invalid ids',
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
