import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { Dialect } from '../../src/core/base/actor.ts'
import { type Answer, mint, type TestApi, testApi } from '../support/api.ts'
import { type Seeded, seed } from './fixtures.ts'
import { asText, VALUES } from './json-values.ts'
import { rulesFor } from './tables/groups.ts'
import { member, message } from './tables/row.ts'

// Like read-back.test.ts for devices: values that other operations accept can be read back.

setDefaultTimeout(120_000)

let api: TestApi
beforeAll(async () => {
  api = await testApi()
})
afterAll(() => api.drop())

type Json = Readonly<Record<string, unknown>>

/** Sends a request with the token of one dialect. */
type Ask = (method: string, path: string, body?: unknown) => Promise<Answer>

/** A record whose fields are changed one at a time. */
interface Subject {
  readonly write: (field: string, value: unknown) => Promise<Answer>
  readonly read: () => Promise<Json>
}

interface Resource {
  readonly name: string
  readonly fields: readonly string[]
  readonly own?: Readonly<Record<string, readonly unknown[]>>
  /** Fields that change together with the written one. */
  readonly follows?: readonly string[]
  /** How a value is converted before it is stored. */
  readonly stored?: Readonly<Record<string, (value: unknown) => unknown>>
  /** True: null and absent members are not sent, so they change nothing. */
  readonly nullIsAbsent?: true
  readonly make: (seeded: Seeded, ask: Ask) => Promise<Subject>
}

const list = (answer: Answer, name: string) => {
  const { json } = answer
  const body = (Array.isArray(json) ? json[0] : json) as Json
  return (body[name] as unknown[] | undefined)?.flat() as Json[]
}
const numberIn = (answer: Answer) => Number(/#(\d+)/.exec(String(message(answer)))?.[1])

const SERVICE_FIELDS = [
  ...['service_ip', 'service_type', 'service_desc', 'service_param', 'service_message', 'service_ds', 'service_name'],
  ...['service_ignore', 'service_disabled', 'service_status', 'service_changed', 'service_template_id'],
]

const RESOURCES: readonly Resource[] = [
  {
    name: 'edit_service_from_host',
    fields: SERVICE_FIELDS,
    own: {
      service_type: ['ssh', '/bin/sh', '../x', 'a b', 'ssh;id', '.', '..', '-x', 'check_x-1.2', 'ü', 'z'.repeat(256)],
      service_status: [3, '2'],
    },
    async make({ hostname }, ask) {
      const id = numberIn(await ask('POST', `/services/${hostname}`, { type: 'http', desc: 'first' }))
      return {
        write: (field, value) => ask('PATCH', `/services/${id}`, { [field]: value }),
        read: async () => list(await ask('GET', `/services/${hostname}`), 'services')[0] ?? {},
      }
    },
  },
  {
    name: 'edit_location',
    fields: ['location', 'lat', 'lng', 'fixed_coordinates'],
    own: { lat: ['51.1234567', -89.5, 100], lng: ['-0.12784561', 179.99, 1000] },
    follows: ['timestamp'],
    // spaces at the ends of a name are removed
    stored: { location: (value) => (typeof value === 'string' ? value.trim() : value) },
    async make(_, ask) {
      const id = numberIn(await ask('POST', '/locations', { location: `Read back ${mint()}` }))
      return {
        write: (field, value) =>
          ask('PATCH', `/locations/${id}`, { [field]: field === 'location' ? located(value) : value }),
        async read() {
          const found = member(await ask('GET', `/location/${id}`), 'get_location')
          const one = (Array.isArray(found) ? found[0] : found) as Json
          return { ...one, location: String(one['location']).replace(/^\d+:/, '') }
        },
      }
    },
  },
  {
    name: 'create_edit_bill',
    fields: ['bill_name', 'bill_custid', 'bill_ref', 'bill_notes', 'bill_day', 'bill_type', 'dir_95th', 'bill_cdr'],
    own: { bill_type: ['quota', 'cdr', 'flat'], dir_95th: ['in', 'out', 'agg', 'up'], bill_day: [28, 31, 32] },
    follows: [
      'allowed',
      'used',
      'percent',
      'overuse',
      'bill_allowed',
      'bill_last_calc',
      'bill_quota',
      'rate_95th',
      'dir_95th',
    ],
    nullIsAbsent: true,
    // amounts are integers
    stored: { bill_cdr: (value) => (typeof value === 'number' ? Math.round(value) : value) },
    async make(_, ask) {
      const made = await ask('POST', '/bills', {
        ...{
          bill_name: 'b',
          bill_type: 'cdr',
          bill_cdr: 1000,
          bill_day: 1,
          bill_custid: '',
          bill_ref: '',
          bill_notes: '',
        },
      })
      const id = member(made, 'bill_id')
      return {
        write: (field, value) => ask('POST', '/bills', { bill_id: id, [field]: value }),
        read: async () => list(await ask('GET', `/bills/${id}`), 'bills')[0] ?? {},
      }
    },
  },
  {
    name: 'update_devicegroup',
    fields: ['name', 'desc'],
    follows: ['pattern'],
    nullIsAbsent: true,
    async make({ hostname }, ask) {
      const rules = JSON.stringify(rulesFor(hostname))
      const id = member(await ask('POST', '/devicegroups', { name: `g${mint()}`, type: 'dynamic', rules }), 'id')
      return {
        write: (field, value) => ask('PATCH', `/devicegroups/${id}`, { [field]: value }),
        read: async () => list(await ask('GET', '/devicegroups'), 'groups').find((group) => group['id'] === id) ?? {},
      }
    },
  },
  {
    name: 'update_port_description',
    fields: ['description'],
    async make({ portIds }, ask) {
      const path = `/ports/${portIds[0]}/description`
      return {
        write: (field, value) => ask('PATCH', path, { [field]: value }),
        async read() {
          const text = member(await ask('GET', path), 'port_description')
          // an empty value restores the device's own description at the next poll
          return { description: text === 'repoll' ? '' : text }
        },
      }
    },
  },
  {
    name: 'update_device_port_notes',
    fields: ['notes'],
    async make({ hostname, portIds }, ask) {
      return {
        write: (field, value) => ask('PATCH', `/devices/${hostname}/port/${portIds[0]}`, { [field]: value }),
        async read() {
          // no operation returns the notes
          const [row] = await api.store.sql<{ notes: string }[]>`
            select attrib_value as notes from devices_attribs where attrib_type = ${`port_id_notes:${portIds[0]}`}`
          return { notes: row?.notes ?? '' }
        },
      }
    },
  },
]

/** Makes names unique; empty ones stay empty. */
const located = (value: unknown) => (typeof value === 'string' && value.trim() !== '' ? `${mint()}:${value}` : value)

/** True if the record has the written value, unchanged or as text, number or flag; an empty value as empty. */
function says(now: unknown, value: unknown): boolean {
  if (value === null || value === '') return now === null || now === '' || now === 0
  if (typeof value === 'boolean') return now === Number(value) || now === value || now === String(value)
  if (typeof now === 'number' && typeof value === 'string' && /^(true|false)$/.test(value))
    return now === Number(value === 'true')
  if (typeof now === 'number') return typeof value !== 'object' && Math.abs(now - Number(value)) < 1e-8
  return now === asText(value)
}

describe.each(['documented', 'librenms'] as const)('dialect %s', (dialect: Dialect) => {
  let token: string
  beforeAll(async () => {
    token = (await api.token(['admin'], dialect)).token
  })
  const ask: Ask = (method, path, body) =>
    api.call(method, `/api/v0${path}`, { token, ...(body !== undefined && { body }) })

  for (const { name, fields, own, follows = [], stored, nullIsAbsent, make } of RESOURCES) {
    test.each(fields)(`${name}: %s`, async (field) => {
      const { write, read } = await make(await seed(api), ask)
      let before = await read()
      const seen = new Set([before[field]])
      for (const value of [...VALUES, ...(own?.[field] ?? [])]) {
        const answer = await write(field, value)
        const after = await read()
        const others = ({ [field]: _, ...rest }: Json) =>
          Object.fromEntries(Object.entries(rest).filter(([other]) => !follows.includes(other)))
        expect(others(after)).toEqual(others(before))
        if (answer.status < 300) {
          const now = after[field]
          const unchanged = nullIsAbsent === true && value === null && now === before[field]
          expect({ field, value, now, says: unchanged || says(now, stored?.[field]?.(value) ?? value) }).toEqual({
            field,
            value,
            now,
            says: true,
          })
          seen.add(now)
        } else {
          const isRefusal = (dialect === 'documented' ? [400, 404, 409, 422] : [400, 404, 422, 500]).includes(
            answer.status,
          )
          const { status, text } = answer
          expect({ value, status, text, isRefusal, now: after[field] }).toEqual({
            ...{ value, status, text, isRefusal: true, now: before[field] },
          })
        }
        before = after
      }
      expect(seen.size).toBeGreaterThan(1)
    })
  }

  test('unknown service types are refused when a service is added', async () => {
    const { hostname } = await seed(api)
    for (const type of ['../../bin/sh', 'a/b', 'ssh;id', 'ssh ', '-h', 'x'.repeat(300), '.']) {
      const answer = await ask('POST', `/services/${hostname}`, { type })
      expect({ type, status: answer.status }).toEqual({ type, status: 400 })
    }
    expect(list(await ask('GET', `/services/${hostname}`), 'services')).toEqual([])
  })
})
