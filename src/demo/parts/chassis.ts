import { wave } from '../gauge.ts'
import type { Seeds } from '../seeds.ts'
import { serialOf } from './edge-ports.ts'
import type { Part } from './entity.ts'

/** A chassis with power supplies, fans, temperature sensors and other parts. */
export interface Chassis {
  readonly seeds: Seeds
  readonly name: string
  readonly descr: string
  readonly model: string
  readonly manufacturer: string
  /** Prefix of its serial numbers. */
  readonly serialPrefix: string
  readonly softwareRev?: string
  readonly hardwareRev?: string
  readonly vendorType?: string
  readonly supplies?: { readonly model: string; readonly count: number; readonly watts: number }
  readonly fans?: { readonly count: number; readonly rpm: number }
  readonly temperatures?: readonly { readonly name: string; readonly celsius: number }[]
  readonly modules?: readonly Part[]
}

/** The tree of a chassis with index 1. Its own parts have indexes 1001 to 1399, modules have their own. */
export function chassis(box: Chassis): Part {
  const { seeds } = box
  const supplies = box.supplies
  const fans = box.fans
  return {
    index: 1,
    name: box.name,
    class: 'chassis',
    descr: box.descr,
    model: box.model,
    manufacturer: box.manufacturer,
    serial: serialOf(box.serialPrefix, seeds('serial')),
    fru: true,
    ...(box.softwareRev !== undefined && { softwareRev: box.softwareRev }),
    ...(box.hardwareRev !== undefined && { hardwareRev: box.hardwareRev }),
    ...(box.vendorType !== undefined && { vendorType: box.vendorType }),
    parts: [
      ...(supplies === undefined ? [] : Array.from({ length: supplies.count }, (_, i) => supply(box, supplies, i))),
      ...(fans === undefined ? [] : Array.from({ length: fans.count }, (_, i) => fan(seeds, fans.rpm, i))),
      ...(box.temperatures ?? []).map(
        ({ name, celsius }, i): Part => ({
          index: 1301 + i,
          name,
          class: 'sensor',
          sensor: {
            kind: 'celsius',
            value: wave(seeds(name), { mean: celsius, day: 2.5, peakHour: 16, noise: 1.2, noiseS: 900 }),
          },
        }),
      ),
      ...(box.modules ?? []),
    ],
  }
}

function supply(
  box: Chassis,
  { model, count, watts }: { model: string; count: number; watts: number },
  i: number,
): Part {
  const share = watts / count
  return {
    index: 1001 + 10 * i,
    name: `Power Supply ${i + 1}`,
    class: 'powerSupply',
    model,
    manufacturer: box.manufacturer,
    serial: serialOf(box.serialPrefix, box.seeds(`supply ${i}`)),
    fru: true,
    parts: [
      {
        index: 1002 + 10 * i,
        name: `Power Supply ${i + 1} Input Power`,
        class: 'sensor',
        sensor: {
          kind: 'watts',
          value: wave(box.seeds(`watts ${i}`), { mean: share, day: share * 0.08, noise: share * 0.04 }),
        },
      },
    ],
  }
}

function fan(seeds: Seeds, rpm: number, i: number): Part {
  return {
    index: 1201 + 10 * i,
    name: `Fan ${i + 1}`,
    class: 'fan',
    fru: true,
    parts: [
      {
        index: 1202 + 10 * i,
        name: `Fan ${i + 1} Speed`,
        class: 'sensor',
        sensor: {
          kind: 'rpm',
          value: wave(seeds(`fan ${i}`), { mean: rpm, day: rpm * 0.04, peakHour: 16, noise: rpm * 0.03, noiseS: 1800 }),
        },
      },
    ],
  }
}

/** A card with ports inside it in ENTITY-MIB; port indexes follow the card's. */
export function card(
  index: number,
  about: { name: string; model: string; manufacturer: string; serial: string; descr?: string },
  ports: readonly { readonly index: number; readonly name: string }[],
): Part {
  return {
    index,
    class: 'module',
    fru: true,
    ...about,
    parts: ports.map((port, i) => ({
      index: index + 1 + i,
      name: port.name,
      class: 'port' as const,
      ifIndex: port.index,
    })),
  }
}
