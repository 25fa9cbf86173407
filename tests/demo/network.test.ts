import { describe, expect, test } from 'bun:test'
import { EVERY_DEVICE } from '../../src/demo/fleet.ts'
import type { Instance } from '../../src/demo/instance.ts'
import { LINKS } from '../../src/demo/links.ts'
import { type Recorded, readRecording } from '../../src/demo/recording.ts'
import { seedsOf } from '../../src/demo/seeds.ts'

/** What the recordings of the fleet say about each other. */
const RECORDED: ReadonlyMap<string, Recorded> = new Map(
  EVERY_DEVICE.map(({ name, recording }) => [
    name,
    readRecording(name, recording, {
      own: seedsOf('test', name),
      links: seedsOf('test', 'links'),
      of: (other) => seedsOf('test', other),
    }),
  ]),
)

function instancesOf(device: string, context = ''): readonly Instance[] {
  const found = RECORDED.get(device)?.get(context)
  if (found === undefined) throw new Error(`no recording of ${device}, context ${context}`)
  return found
}

/** A column by index, without values that move. */
function column(device: string, object: string, context = ''): ReadonlyMap<string, string> {
  return new Map(
    instancesOf(device, context)
      .filter((i) => i.object === object && typeof i.value !== 'function')
      .map(({ index, value }) => [index, value instanceof Uint8Array ? value.toHex() : String(value)]),
  )
}

const IF_NAME = '1.3.6.1.2.1.31.1.1.1.1'
const MAC = '1.3.6.1.2.1.2.2.1.6'
const LLDP = '1.0.8802.1.1.2.1.4.1.1'
/** A neighbour that has no agent, so that nobody knows what it would say. */
const STRANGER = 'home-router'
const REPORTED = EVERY_DEVICE.flatMap(({ name }) =>
  [...column(name, `${LLDP}.9`)].map(([index, far]) => ({ near: name, index, far })),
)
const NEIGHBOURS = REPORTED.filter(({ far }) => far !== STRANGER)

test('thirteen cables are reported by LLDP from both ends, and one to a stranger', () => {
  expect(NEIGHBOURS.length).toBe(26)
  expect(REPORTED.filter(({ far }) => far === STRANGER).map(({ near }) => near)).toEqual(['access-2'])
})

test.each(NEIGHBOURS)('$near reports what $far says about itself, and $far reports it', ({ near, index, far }) => {
  const told = (id: number) => column(near, `${LLDP}.${id}`).get(index) ?? ''
  const ifIndex = index.split('.')[1] ?? ''
  const farPort = [...column(far, IF_NAME)].find(([, ifName]) => ifName === told(7))?.[0] ?? 'none'
  expect(told(10)).toBe(column(far, '1.3.6.1.2.1.1.1').get('0') ?? '')
  expect([...column(far, MAC).values()]).toContain(told(5))
  const back = [...column(far, `${LLDP}.9`)].find(([i]) => i.split('.')[1] === farPort)
  expect(back?.[1]).toBe(near)
  expect(column(far, `${LLDP}.7`).get(back?.[0] ?? '')).toBe(column(near, IF_NAME).get(ifIndex) ?? '')
})

describe('cables', () => {
  /** Names of interfaces by link and end. */
  const ends = EVERY_DEVICE.flatMap(({ name, recording }) =>
    [...recording.matchAll(/^\d+\|([^|]+)\|.*\|link (.+) (upper|lower)(?:\||$)/gm)].map(([, port, link, end]) => ({
      link,
      end,
      // a logical interface carries the traffic of its port
      place: `${name} ${port?.replace(/\.0$/, '')}`,
    })),
  )

  test.each(Object.keys(LINKS))('%s has one port at each end', (link) => {
    const places = (end: string) => [
      ...new Set(ends.filter((e) => e.link === link && e.end === end).map((e) => e.place)),
    ]
    // the providers are not in the fleet
    expect([places('upper').length, places('lower').length]).toEqual(link.startsWith('isp-') ? [0, 1] : [1, 1])
  })
})

describe('computers', () => {
  /** Addresses that a switch has learned, in all its contexts, as dotted decimal. */
  const learned = (device: string): string[] =>
    [...(RECORDED.get(device)?.keys() ?? [])].flatMap((context) => [
      ...column(device, '1.3.6.1.2.1.17.4.3.1.2', context).keys(),
      ...[...column(device, '1.3.6.1.2.1.17.7.1.2.2.1.2', context).keys()].map((index) => index.replace(/^\d+\./, '')),
    ])
  const arp = new Map(
    [...column('core-1', '1.3.6.1.2.1.4.22.1.2')].map(([index, mac]) => [
      [...Uint8Array.fromHex(mac)].join('.'),
      index,
    ]),
  )

  test.each(['access-1', 'access-2', 'access-3'])('%s has learned those that core-1 has in its ARP table', (device) => {
    // locally administered addresses; the others are those of core-1
    const stations = learned(device).filter((mac) => mac.startsWith('2.80.76.'))
    expect(stations.length).toBeGreaterThanOrEqual(3)
    for (const mac of stations) {
      expect(arp.has(mac)).toBe(true)
      expect(learned('core-1')).toContain(mac)
    }
  })
})

test('the BGP speakers of the fleet are peers of each other', () => {
  const peers = (device: string) => column(device, '1.3.6.1.2.1.15.3.1.5')
  expect(peers('edge-1').get('10.255.0.21')).toBe('192.0.2.1')
  expect(peers('wan-1').get('192.0.2.1')).toBe('10.255.0.21')
})
