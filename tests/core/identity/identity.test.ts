import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { HostIdentity } from '../../../src/core/candidates/observed-host.ts'
import {
  type Evidence,
  evidenceOf,
  isUniversal,
  usefulAddress,
  usefulEngineId,
  usefulMac,
  usefulName,
  usefulSerial,
} from '../../../src/core/identity/evidence.ts'
import { compareHosts, type Known, placeHost } from '../../../src/core/identity/identity.ts'

const host = (identity: Partial<HostIdentity>): Evidence => evidenceOf(identity)
const verdict = (a: Partial<HostIdentity>, b: Partial<HostIdentity>) => compareHosts(host(a), host(b)).verdict

const ENGINE = '80001f88803d9a1b5c0e4f2a60'
const OTHER_ENGINE = '80001f8880aaaaaaaa11223344'
const MAC = (n: number) => `001b21${n.toString(16).padStart(6, '0')}`

describe('what identifies nothing', () => {
  test.each([
    '',
    'None',
    'n/a',
    '0000',
    '00000000',
    'XXXX',
    'To be filled by O.E.M.',
    'Not Specified',
    '...',
    '123456789',
    'AB1',
  ])('serial number %s', (text) => expect(usefulSerial(text)).toBeNull())
  test('a serial number is compared regardless of case and spaces', () =>
    expect(usefulSerial(' fdo1234x0ab ')).toBe('FDO1234X0AB'))
  test.each([
    '',
    '0000000000',
    '80001f8801c0a80001', // enterprise and an IPv4 address
    '80001f880100000000',
    '80001f8803000000000000', // enterprise and no MAC address
    '80001f8805',
    '00000009000000000000000000'.slice(0, 24),
    '000000637f000001c0a8000100000000'.slice(0, 24).replace(/.{8}$/, '00000000'), // before RFC 3411: an address and zeros
    'ffffffffff',
  ])('engine ID %s', (text) => expect(usefulEngineId(text)).toBeNull())
  test.each([ENGINE, '80000009030026980c1e00', '000000090200001b213c9df8'])('engine ID %s does', (text) =>
    expect(usefulEngineId(text)).toBe(text),
  )
  test.each([
    '00005e000101',
    '00005e000201',
    '00000c07ac01',
    '00000c9ff001',
    '0007b4000101',
    '00090f090001',
    '001b17000110',
    '000000000000',
    'ffffffffffff',
    '01005e000001',
    '333300000001',
    '',
  ])('MAC address %s', (text) => expect(usefulMac(text)).toBeNull())
  test.each(['localhost', 'LOCALHOST.localdomain', 'Switch', 'router', 'switch.local', '', '(none)', 'MikroTik'])(
    'name %s',
    (text) => expect(usefulName(text)).toBeNull(),
  )
  test.each(['switch.example.net', 'router1'])('name %s does', (text) => expect(usefulName(text)).toBe(text))
  test.each([
    '127.0.0.1',
    '127.9.1.1',
    '169.254.1.1',
    '0.0.0.0',
    '224.0.0.5',
    'fe80::1',
    '::1',
    '::',
    'ff02::1',
    '192.168.1.1',
    'x',
  ])('address %s', (text) => expect(usefulAddress(text)).toBeNull())
})

describe('what beats what', () => {
  test('a universally administered MAC address makes two hosts one', () =>
    expect(verdict({ macs: [MAC(1), MAC(2)] }, { macs: [MAC(2)] })).toBe('same'))
  test('the base MAC address may be that of a port', () =>
    expect(verdict({ baseMac: MAC(1) }, { macs: [MAC(1)] })).toBe('same'))
  test('other MAC addresses beat an equal engine ID: clones', () =>
    expect(
      compareHosts(host({ engineId: ENGINE, macs: [MAC(1)] }), host({ engineId: ENGINE, macs: [MAC(2)] })),
    ).toEqual({
      verdict: 'different',
      reason: 'they have no MAC address in common, although they have the same engine ID, as clones have',
    }))
  test('so do MAC addresses that software assigned, as virtual machines have', () =>
    expect(verdict({ engineId: ENGINE, macs: ['525400000001'] }, { engineId: ENGINE, macs: ['525400000002'] })).toBe(
      'different',
    ))
  test('an equal MAC address that software assigned identifies nothing', () =>
    expect(verdict({ macs: ['024200000001'] }, { macs: ['024200000001'] })).toBe('unrelated'))
  test('virtual MAC addresses of VRRP and clusters do not count at all', () =>
    expect(
      verdict(
        { macs: [MAC(1), '00005e000101', '00000c07ac01'], engineId: ENGINE },
        { macs: [MAC(2), '00005e000101', '00000c07ac01'], engineId: OTHER_ENGINE },
      ),
    ).toBe('different'))
  test('serial numbers that differ beat an equal engine ID', () => {
    expect(verdict({ engineId: ENGINE, serials: ['A001'] }, { engineId: ENGINE, serials: ['B001'] })).toBe('undecided')
    expect(verdict({ serials: ['A001'] }, { serials: ['B001'] })).toBe('different')
  })
  test('the units of a cluster share an address and MAC addresses, and are two', () => {
    const [a, b] = [
      { addresses: ['10.0.0.1', '10.0.0.2'], engineId: ENGINE, serials: ['A001'], macs: [MAC(1), MAC(9)] },
      { addresses: ['10.0.0.1', '10.0.0.3'], engineId: OTHER_ENGINE, serials: ['B001'], macs: [MAC(2), MAC(9)] },
    ]
    expect(verdict(a, b)).toBe('different')
    expect(verdict({ ...a, macs: [MAC(1)], serials: [] }, { ...b, macs: [MAC(2)], serials: [] })).toBe('different')
    expect(verdict({ ...a, macs: [], serials: [] }, { ...b, macs: [], serials: [] })).toBe('different')
  })
  test('a stack whose members change stays one', () => {
    const stack = { engineId: ENGINE, serials: ['A001', 'A002'], macs: [MAC(1), MAC(2)], baseMac: MAC(1) }
    expect(verdict(stack, { ...stack, serials: ['A002', 'A003'] })).toBe('same')
    expect(verdict(stack, { ...stack, serials: ['A008', 'A009'] })).toBe('same')
    expect(verdict({ ...stack, engineId: null }, { ...stack, engineId: null, serials: ['A009'] })).toBe('same')
  })
  test('an equal serial number, without anything else, makes two hosts one', () =>
    expect(verdict({ serials: ['A001'] }, { serials: ['a001'] })).toBe('same'))
  test('an equal serial number with other engine IDs needs an equal name', () => {
    const [a, b] = [
      { serials: ['A001'], engineId: ENGINE },
      { serials: ['A001'], engineId: OTHER_ENGINE },
    ]
    expect(verdict(a, b)).toBe('undecided')
    expect(verdict({ ...a, sysName: 'core-1' }, { ...b, sysName: 'CORE-1' })).toBe('same')
  })
  test('contexts of a chassis have its serial number and other MAC addresses', () =>
    expect(verdict({ serials: ['A001'], macs: [MAC(1)] }, { serials: ['A001'], macs: [MAC(2)] })).toBe('undecided'))
  test('an equal engine ID makes two hosts one unless their names differ', () => {
    expect(verdict({ engineId: ENGINE }, { engineId: ENGINE })).toBe('same')
    expect(verdict({ engineId: ENGINE, sysName: 'a' }, { engineId: ENGINE, sysName: 'b' })).toBe('undecided')
  })
  test('some equal MAC addresses with other engine IDs do not suffice, all of them do', () => {
    const a = { engineId: ENGINE, macs: [MAC(1), MAC(2)] }
    expect(verdict(a, { engineId: OTHER_ENGINE, macs: [MAC(2), MAC(3)] })).toBe('undecided')
    expect(verdict(a, { engineId: OTHER_ENGINE, macs: [MAC(2), MAC(1)] })).toBe('same')
  })
  test('a name and an address together make two hosts one that say nothing else', () => {
    const a = { sysName: 'core-1', addresses: ['10.0.0.1', '10.0.1.1'] }
    expect(verdict(a, { sysName: 'core-1', addresses: ['10.0.1.1'] })).toBe('same')
    expect(verdict(a, { sysName: 'core-2', addresses: ['10.0.1.1'] })).toBe('undecided')
    expect(verdict(a, { sysName: 'core-1', addresses: ['10.0.9.1'] })).toBe('undecided')
    expect(verdict({ addresses: ['10.0.0.1', '10.0.1.1'] }, { addresses: ['10.0.1.1', '10.0.0.1'] })).toBe('same')
    expect(verdict({ addresses: ['10.0.0.1'] }, { addresses: ['10.0.0.1'] })).toBe('undecided')
    expect(
      verdict({ sysName: 'switch', addresses: ['10.0.0.1'] }, { sysName: 'switch', addresses: ['10.0.0.1'] }),
    ).toBe('undecided')
  })
  test('nothing in common is unrelated', () =>
    expect(verdict({ sysName: 'a' }, { serials: ['A001'] })).toBe('unrelated'))
})

const few = (values: readonly string[]) => fc.subarray([...values])
const anyIdentity: fc.Arbitrary<Evidence> = fc
  .record({
    sysName: fc.constantFrom(null, 'core-1', 'core-2', 'switch'),
    engineId: fc.constantFrom(null, ENGINE, OTHER_ENGINE, '0000000000'),
    serials: few(['A001', 'A002', 'A003', 'None']),
    baseMac: fc.constantFrom(null, MAC(1), MAC(2)),
    macs: few([MAC(1), MAC(2), MAC(3), '00005e000101', '024200000001']),
    addresses: few(['10.0.0.1', '10.0.0.2', '127.0.0.1', '192.168.1.1']),
  })
  .map(host)

test('the order of two hosts does not matter', () => {
  fc.assert(
    fc.property(anyIdentity, anyIdentity, (a, b) => {
      expect(compareHosts(a, b)).toEqual(compareHosts(b, a))
    }),
    { numRuns: 3000 },
  )
})

test('a host is never another than itself', () => {
  fc.assert(
    fc.property(anyIdentity, (a) => {
      expect(['same', 'undecided', 'unrelated']).toContain(compareHosts(a, a).verdict)
      if (a.serials.length > 0 || a.macs.some(isUniversal) || a.engineId !== null)
        expect(['same', 'unrelated']).toContain(compareHosts(a, a).verdict)
    }),
    { numRuns: 1000 },
  )
})

/** Sorts hosts into groups, in the order given. */
function groupsOf(hosts: readonly Evidence[]): Evidence[][] {
  let groups: Evidence[][] = []
  for (const one of hosts) {
    const known: Known<Evidence[]>[] = groups.map((evidence) => ({ key: evidence, evidence }))
    const same = placeHost(one, known).same.map(({ key }) => key)
    groups = [...groups.filter((group) => !same.includes(group)), [...same.flat(), one]]
  }
  return groups
}

/** Devices that are really different, with evidence that clones, clusters and defaults share between them. */
const fleet = fc
  .array(
    fc.record({
      addresses: fc.integer({ min: 1, max: 6 }),
      engine: fc.constantFrom('own', 'cloned', 'default', 'none'),
      serial: fc.constantFrom('own', 'placeholder', 'none'),
      name: fc.constantFrom('own', 'shared', 'default', 'none'),
      virtual: fc.boolean(),
      vip: fc.boolean(),
    }),
    { minLength: 1, maxLength: 12 },
  )
  .map((shapes) =>
    shapes.map((shape, i) => {
      const own = Array.from({ length: shape.addresses }, (_, n) => `10.${i}.${n}.1`)
      return {
        readings: shape.addresses,
        evidence: host({
          engineId: {
            own: `80001f8880${String(i).padStart(8, '1')}`,
            cloned: ENGINE,
            default: '80001f8801c0a80001',
            none: null,
          }[shape.engine],
          serials: { own: [`SN${i}000`], placeholder: ['To be filled by O.E.M.'], none: [] }[shape.serial],
          macs: [MAC(i * 16), MAC(i * 16 + 1), ...(shape.virtual ? ['00005e000101', '00090f090001'] : [])],
          addresses: [...own, ...(shape.vip ? ['10.200.0.1', '192.168.1.1'] : [])],
          sysName: { own: `sw-${i}`, shared: 'edge', default: 'switch', none: null }[shape.name],
        }),
      }
    }),
  )

test('every device is found once, in whatever order its addresses answer', () => {
  fc.assert(
    fc.property(
      fleet.chain((devices) => {
        const readings = devices.flatMap(({ readings, evidence }) => Array.from({ length: readings }, () => evidence))
        const shuffled = fc.shuffledSubarray(readings, { minLength: readings.length, maxLength: readings.length })
        return fc.record({ devices: fc.constant(devices), one: shuffled, other: shuffled })
      }),
      ({ devices, one, other }) => {
        expect(groupsOf(one).length).toBe(devices.length)
        expect(groupsOf(other).length).toBe(devices.length)
      },
    ),
    { numRuns: 300 },
  )
})
