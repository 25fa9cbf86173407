import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { Dialect } from '../../src/core/base/actor.ts'
import { EDITABLE_FIELDS } from '../../src/core/devices/fields.ts'
import { mint, type TestApi, testApi } from '../support/api.ts'
import { seed } from './fixtures.ts'
import { asText, VALUES } from './json-values.ts'
import { member, message } from './tables/row.ts'

// Values accepted by update_device_field can be read back; refused ones change nothing. Generated: every field with
// values of every kind, in both dialects.

setDefaultTimeout(120_000)

let api: TestApi
beforeAll(async () => {
  api = await testApi()
})
afterAll(() => api.drop())

type Fields = Readonly<Record<string, unknown>>

/** Additional values for fields that accept few. */
const OWN: Readonly<Record<string, readonly unknown[]>> = {
  authlevel: ['authPriv', 'noauthnopriv', 'AUTHNOPRIV'],
  display: ['{{ $hostname }} x', 'Rack 1 {{ $sysName }}'],
  display_template: ['{{ $hostname }} x', 'Rack 1 {{ $sysName }}'],
  icon: ['images/os/box.svg', 'box.svg'],
  ip: ['192.0.2.1', '2001:db8::5', '2001:DB8:0::7', '10.0.0.256', '10.0.0.1/8'],
  overwrite_ip: ['192.0.2.1'],
  port_association_mode: ['ifIndex', 'ifName', 'ifDescr', 'ifAlias', 4, 5],
  snmpver: ['v1', 'v2c', 'v3', 'V3', 'v4'],
  transport: ['udp', 'udp6', 'tcp', 'tcp6', 'UDP', 'ipx'],
}

/** How fields show a written value, if not unchanged. */
const SHOWN: Readonly<Record<string, (value: unknown, device: Fields) => unknown>> = {
  authlevel: (value) =>
    ['noAuthNoPriv', 'authNoPriv', 'authPriv'].find((l) => l.toLowerCase() === String(value).toLowerCase()),
  display: (value, { hostname, sysName }) =>
    value === null || value === ''
      ? hostname
      : asText(value)
          .replace('{{ $hostname }}', String(hostname))
          .replace('{{ $sysName }}', String(sysName || hostname)),
  icon: (value) => `images/os/${asText(value).replace('images/os/', '')}`,
  ip: (value) => String(value).toLowerCase().replace(':0::', '::'),
  port_association_mode: (value) => {
    const at = ['ifIndex', 'ifName', 'ifDescr', 'ifAlias'].indexOf(String(value))
    return at < 0 ? Number(value) : at + 1
  },
  sysName: (value) => asText(value).trim().toLowerCase(),
}

/** What get_device must show after `value` was written to the field. */
function shown(field: string, value: unknown, device: Fields): unknown {
  const now = device[field]
  const own = SHOWN[field]
  // an empty value is null, or empty text in columns that are never null
  if ((value === null || value === '') && field !== 'display')
    return typeof now === 'boolean' ? false : now === '' ? '' : null
  if (own !== undefined) return own(value, device)
  if (typeof now === 'boolean') return [true, 1, '1', 'true'].includes(value as never)
  if (typeof now === 'number') return Number(value)
  return asText(value)
}

describe.each(['documented', 'librenms'] as const)('dialect %s', (dialect: Dialect) => {
  const refused = dialect === 'documented' ? 400 : 500
  let token: string
  beforeAll(async () => {
    token = (await api.token(['admin'], dialect)).token
  })

  const patch = (id: number, field: unknown, data: unknown) =>
    api.call('PATCH', `/api/v0/devices/${id}`, { token, body: { field, data } })
  async function read(id: number): Promise<Fields> {
    const [device] = member(await api.call('GET', `/api/v0/devices/${id}`, { token }), 'devices') as Fields[]
    return device ?? {}
  }

  test.each(EDITABLE_FIELDS.filter((field) => field !== 'location_id' && field !== 'snmp_any_source'))(
    '%s',
    async (field) => {
      const { deviceId } = await seed(api)
      const taken = new Set<unknown>()
      let before = await read(deviceId)
      for (const value of [...VALUES, ...(OWN[field] ?? []), '\ud800 half a pair']) {
        const answer = await patch(deviceId, field, value)
        const after = await read(deviceId)
        if (answer.status === 200) {
          expect({ field, value, now: after[field] }).toEqual({ field, value, now: shown(field, value, after) })
          taken.add(after[field])
        } else {
          expect({ field, value, status: answer.status }).toEqual({ field, value, status: refused })
          expect(message(answer)).toBe(`Device ${field} field failed to be updated`)
          expect(after).toEqual(before)
        }
        before = after
      }
      expect(taken.size).toBeGreaterThan(1)
      // list_devices shows the same
      const list = await api.call('GET', `/api/v0/devices?type=device_id&query=${deviceId}`, { token })
      const [row] = member(list, 'devices') as Fields[]
      const icon = (value: unknown) => (field === 'icon' ? String(value ?? '').replace('images/os/', '') : value)
      const flag = (value: unknown) => (typeof value === 'boolean' ? Number(value) : value)
      expect(icon(row?.[field] ?? null)).toEqual(icon(flag(before[field])) as never)
    },
  )

  // not part of the record
  test('snmp_any_source', async () => {
    const { deviceId } = await seed(api)
    const stored = async () =>
      (await api.store.sql`select snmp_any_source as now from devices where device_id = ${deviceId}`)[0]?.['now']
    for (const [value, now] of [
      [true, 1],
      [0, 0],
      ['1', 1],
      [null, 0],
    ] as const) {
      expect((await patch(deviceId, 'snmp_any_source', value)).status).toBe(200)
      expect(await stored()).toBe(now)
    }
    expect((await patch(deviceId, 'snmp_any_source', 'perhaps')).status).toBe(refused)
    expect(await stored()).toBe(0)
  })

  test('location_id', async () => {
    const { deviceId } = await seed(api)
    const { deviceId: other } = await seed(api)
    await patch(other, 'location', `Room ${mint()}`)
    const { location, location_id: id } = await read(other)
    for (const value of [id, null, String(id)]) {
      expect((await patch(deviceId, 'location_id', value)).status).toBe(200)
      expect(await read(deviceId)).toMatchObject(
        value === null ? { location_id: null, location: null } : { location_id: id, location },
      )
    }
    const before = await read(deviceId)
    for (const value of [0, -1, 2_147_483_647, 'x', true, 1.5]) {
      expect((await patch(deviceId, 'location_id', value)).status).toBe(refused)
    }
    expect(await read(deviceId)).toEqual(before)
  })

  test('fields that cannot be changed are refused, alone and in a list', async () => {
    const { deviceId } = await seed(api)
    const before = await read(deviceId)
    const fixed = Object.keys(before).filter((name) => !EDITABLE_FIELDS.includes(name))
    expect(fixed).toContain('last_polled')
    for (const field of [...fixed, 'snmp_max_repeaters', 'nonsense', 'constructor', '__proto__']) {
      for (const answer of [
        await patch(deviceId, field, before[field] ?? 'x'),
        await patch(deviceId, ['notes', field], ['changed', 'x']),
      ]) {
        expect({ field, status: answer.status }).toEqual({ field, status: refused })
        const words = ['device_id', 'hostname'].includes(field) ? '' : `: ${field}`
        expect(message(answer)).toBe(`Device field is not allowed to be updated${words}`)
      }
    }
    expect(await read(deviceId)).toEqual(before)
  })

  test('the display name is kept when the device is renamed or discovered, and removed by null', async () => {
    const { deviceId, hostname } = await seed(api)
    expect((await patch(deviceId, 'display', 'Core switch')).status).toBe(200)
    expect(await read(deviceId)).toMatchObject({ display: 'Core switch', display_template: 'Core switch' })
    await patch(deviceId, 'sysName', 'other')
    expect((await read(deviceId))['display']).toBe('Core switch')
    await patch(deviceId, 'display', '{{ $sysName }} of {{ $hostname }}')
    expect((await read(deviceId))['display']).toBe(`other of ${hostname}`)
    await patch(deviceId, 'display', null)
    expect(await read(deviceId)).toMatchObject({ display: hostname, display_template: null })
  })

  test('redundant fields must agree', async () => {
    const { deviceId, hostname } = await seed(api)
    const room = `Room ${mint()}`
    await patch(deviceId, ['location', 'display_template'], [room, 'of {{ $hostname }}'])
    const before = await read(deviceId)
    const same = ['display', 'display_template', 'location', 'location_id']
    const answer = await patch(
      deviceId,
      same,
      same.map((field) => before[field]),
    )
    expect({ status: answer.status, device: await read(deviceId) }).toEqual({ status: 200, device: before })
    for (const [fields, data] of [
      [
        ['display', 'display_template'],
        ['one', 'other'],
      ],
      [
        ['display_template', 'display'],
        [null, 'one'],
      ],
      [
        ['location', 'location_id'],
        [`not ${room}`, before['location_id']],
      ],
      [
        ['location_id', 'location'],
        [before['location_id'], null],
      ],
      [
        ['notes', 'notes'],
        ['one', 'other'],
      ],
    ]) {
      expect({ fields, status: (await patch(deviceId, fields, data)).status }).toEqual({ fields, status: refused })
    }
    expect(await read(deviceId)).toEqual(before)
    expect((await patch(deviceId, ['display', 'display_template'], [hostname, null])).status).toBe(200)
    expect(await read(deviceId)).toMatchObject({ display: hostname, display_template: null })
  })
})
