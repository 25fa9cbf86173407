import { oneLine } from '../../lib/one-line.ts'
/**
 * What is kept of found devices. Neighbours and scans may report any number, so the oldest that wait for a decision are
 * dropped first; those that are ignored stay, because they would come back as new ones.
 */
export const LIMITS = {
  /** Candidates in all. */
  candidates: 50_000,
  /** Candidates that only this device reported. */
  perDevice: 1000,
  /** Addresses of a candidate or of a device ("also answers at"). */
  addresses: 256,
  /** Different evidence of a candidate. */
  evidence: 8,
  /** Sources of a candidate. */
  sources: 64,
  /** Rules. */
  rules: 1000,
  /** Candidates that are accepted or ignored at once. */
  bulk: 1000,
  /** Rows of a page of the list. */
  page: 500,
  /** Characters of texts that hosts and neighbours report. */
  text: 255,
} as const

/** A text from outside without control characters, cut; null: empty. */
export function tidy(text: string | null | undefined, limit: number = LIMITS.text): string | null {
  const kept = oneLine((text ?? '').toWellFormed())
    .trim()
    .slice(0, limit)
  return kept === '' ? null : kept.toWellFormed()
}
