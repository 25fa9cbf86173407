import type { TransceiverRow } from './observation.ts'

/** What a source knows of a transceiver; the rest is not told. */
export type Known = Partial<TransceiverRow> & Pick<TransceiverRow, 'index'>

export function transceiver(known: Known): TransceiverRow {
  return {
    ifIndex: null,
    entity_physical_index: null,
    type: null,
    vendor: null,
    oui: null,
    model: null,
    revision: null,
    serial: null,
    date: null,
    ddm: null,
    encoding: null,
    cable: null,
    distance: null,
    wavelength: null,
    connector: null,
    channels: 1,
    ...known,
  }
}

/** The text, or null where the agent has none: empty, `N/A`, `unknown`, `--`. */
export function told(text: string | undefined): string | null {
  return text === undefined || /^(?:|n\/?a|unknown|none|-+)$/i.test(text.trim()) ? null : text.trim()
}

/** The number where it is one that can be: above zero. */
export function positive(value: number | undefined): number | null {
  return value !== undefined && value > 0 ? value : null
}

/** SNMPv2-TC TruthValue as a flag. */
export function truth(value: number | undefined): 0 | 1 | null {
  return value === 1 ? 1 : value === 2 ? 0 : null
}

const METRES: Readonly<Record<string, number>> = { m: 1, km: 1000 }

/**
 * The longest of the distances in a text, in metres: `10.0km (9um), 550m (50um)`, `50(50um),100(OM3)`. Numbers in
 * brackets are diameters or grades of fibre; a number without unit is metres. Null when there is none.
 */
export function longest(text: string | undefined): number | null {
  const lengths = [...(text ?? '').replace(/\([^)]*\)/g, ' ').matchAll(/(\d+(?:\.\d+)?)\s*(km|m)?\b/gi)].map(
    ([, number, unit]) => Number(number) * (METRES[(unit ?? 'm').toLowerCase()] ?? 1),
  )
  const most = Math.round(Math.max(0, ...lengths))
  return most > 0 ? most : null
}
