import { PORT_COUNTERS } from '../../lib/port-counters.ts'
import { type SampleKind, unitOf } from '../../series/kind.ts'
import { KINDS, type KindName } from '../../series/kinds.ts'

export type { KindName } from '../../series/kinds.ts'

/** Names of all kinds of samples. */
export const KIND_NAMES: readonly string[] = Object.keys(KINDS)

export function isKind(name: string): name is KindName {
  return Object.hasOwn(KINDS, name)
}

/** A line of a kind that can be read; `unit` is '' for plain numbers, or if the subject's class has it. */
export interface KindLine {
  readonly name: string
  readonly unit: string
}

/** The lines of a kind; for ports their counters, per second. */
export function linesOf(name: KindName): readonly KindLine[] {
  if (name === 'port')
    return PORT_COUNTERS.map(({ series }) => ({
      name: series,
      unit: series.endsWith('octets') ? 'octets/s' : 'packets/s',
    }))
  const kind: SampleKind = KINDS[name]
  return kind.lines.map((line) => ({ name: line.name, unit: unitOf(kind, line) }))
}
