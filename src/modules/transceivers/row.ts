import type { TransceiverRow } from './observation.ts'

/** The columns that a source has for a transceiver; all others are not reported. */
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

/** Lanes of the widest module; an agent that counts more is wrong. */
export const MAX_CHANNELS = 16

/** The text, or null if it means that there is none: empty, `N/A`, `unknown`, `--`. */
export function reported(text: string | undefined): string | null {
  return text === undefined || /^(?:|n\/?a|unknown|none|-+)$/i.test(text.trim()) ? null : text.trim()
}

/** The number if it is above zero, else null. */
export function positive(value: number | undefined): number | null {
  return value !== undefined && value > 0 ? value : null
}

/** A TruthValue (SNMPv2-TC) as a flag. */
export function truth(value: number | undefined): 0 | 1 | null {
  return value === 1 ? 1 : value === 2 ? 0 : null
}

const METRES: Readonly<Record<string, number>> = { m: 1, km: 1000 }

/**
 * The longest distance in a text, in metres: `10.0km (9um), 550m (50um)`, `50(50um),100(OM3)`. Numbers in brackets are
 * fibre diameters or grades; a number without a unit is in metres. Null if there is none.
 */
export function longest(text: string | undefined): number | null {
  const lengths = [...(text ?? '').replace(/\([^()]*\)/g, ' ').matchAll(/(\d+(?:\.\d+)?)\s*(km|m)?\b/gi)].map(
    ([, number, unit]) => Number(number) * (METRES[(unit ?? 'm').toLowerCase()] ?? 1),
  )
  const max = Math.round(Math.max(0, ...lengths))
  return max > 0 ? max : null
}
