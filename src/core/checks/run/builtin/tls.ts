import type { TlsOptions } from '../../probe.ts'
import type { Measured } from '../result.ts'

const DAY_MS = 86_400_000

export interface CertificateFinding {
  readonly level: 0 | 1 | 2
  /** '' if there is nothing to report. */
  readonly text: string
  readonly measured: readonly Measured[]
}

/** Checks the certificate of a connection. `found` null: the connection had no TLS. */
export function judgeCertificate(
  found: { readonly endsAt: number; readonly trusted: boolean } | null,
  { certificate, verify }: TlsOptions,
  nowMs: number,
): CertificateFinding {
  if (found === null) return { level: 0, text: '', measured: [] }
  if (Number.isNaN(found.endsAt)) return { level: 2, text: 'the server has no certificate', measured: [] }
  const days = (found.endsAt - nowMs) / DAY_MS
  const measured = [{ label: 'days', value: Math.floor(days * 100) / 100, unit: '' }]
  const when = new Date(found.endsAt).toISOString().slice(0, 16).replace('T', ' ')
  if (days < 0) return { level: 2, text: `certificate expired on ${when} UTC`, measured }
  if (verify && !found.trusted) return { level: 2, text: 'certificate is not trusted', measured }
  if (certificate === null) return { level: 0, text: '', measured }
  const level = days < certificate.critical ? 2 : days < certificate.warning ? 1 : 0
  return { level, text: `certificate expires on ${when} UTC, in ${Math.floor(days)} days`, measured }
}
