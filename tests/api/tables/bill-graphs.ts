import { expect } from 'bun:test'
import type { Answer } from '../../support/api.ts'
import { counted, endS, forbidden, local, MISSING, made } from './bill-support.ts'
import { get, member, message, type Row } from './row.ts'

const data = (answer: Answer) => member(answer, 'graph_data')
const window = `from=${endS - 3600}&to=${endS}`

export const BILL_GRAPH_ROWS: readonly Row[] = [
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
    name: 'an invalid time',
    request: async (d, api) => get(`/bills/${(await counted(api, d)).id}/graphs/bits?from=nonsense`),
  },
  { operation: 'get_bill_graph', ...forbidden((id) => `/bills/${id}/graphs/bits`) },
  {
    operation: 'get_bill_graph',
    status: 404,
    name: 'another type',
    request: async (d, api) => get(`/bills/${await made(api, d)}/graphs/pie`),
    check: (a) => expect(message(a)).toBe('bill_pie template missing'),
  },
  ...(['bits', 'monthly'] as const).map(
    (type): Row => ({
      operation: 'get_bill_graph',
      status: 404,
      name: `${type} of an unknown bill`,
      request: () => get(`/bills/${MISSING}/graphs/${type}`),
      check: (a) => expect(message(a)).toBe(`Bill ${MISSING} does not exist`),
    }),
  ),
  {
    operation: 'get_bill_graph',
    status: 404,
    name: 'nothing counted yet',
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
    status: 404,
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
        in_data: [45_000],
        out_data: [4500],
        tot_data: [49_500],
        allow_data: [],
        ave_data: [49_500, 49_500],
        overuse_data: [],
        ticklabels: ['00:00'],
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
]
