import { seedOf } from './hash.ts'

/** A stable seed for each part of a device: `seeds('psu 1')`. */
export type Seeds = (label: string) => number

/** Seeds derived from a name. Two devices that use the same name for a link see the same traffic on it. */
export function seedsOf(fleetSeed: string, name: string): Seeds {
  return (label) => seedOf(`${fleetSeed}/${name}/${label}`)
}
