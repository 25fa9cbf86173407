const PREFIXES: Readonly<Record<string, number>> = { '': 1, k: 1e3, m: 1e6, g: 1e9, t: 1e12, p: 1e15 }

/** Bits per second or bytes as people enter them: `100000000`, `100M`, `1.5 Gbit/s`. null: not such an amount, or too large. */
export function amountOf(text: string): number | null {
  const [, digits = '', prefix = ''] =
    /^\s*(\d{1,15}(?:\.\d{1,9})?)\s*([kmgtp]?)(?:bit\/s|bps|b|byte)?\s*$/i.exec(text) ?? []
  const value = Math.round(Number(digits) * (PREFIXES[prefix.toLowerCase()] ?? Number.NaN))
  return digits === '' || !Number.isSafeInteger(value) ? null : value
}
