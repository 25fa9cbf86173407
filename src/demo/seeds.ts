import { seedOf } from './hash.ts'

/** Gives each thing of a device its own seed, the same in every run: `seeds('psu 1')`. */
export type Seeds = (label: string) => number

/** Seeds below a name; two devices that use one name for a link see the same traffic on it. */
export function seedsOf(fleetSeed: string, name: string): Seeds {
  return (label) => seedOf(`${fleetSeed}/${name}/${label}`)
}
