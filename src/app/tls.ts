import { type Certificate, CertificateError, readCertificate } from '../api/certificate.ts'
import type { ApiServer } from '../api/serve.ts'
import type { Settings } from '../config/schema.ts'
import { figure } from '../observe/figures.ts'
import type { Log } from '../observe/log.ts'
import type { Metric } from '../observe/metrics.ts'
import { ServingError } from './errors.ts'

/** How often the files are checked. */
const LOOK_MS = 10_000
const DAY_MS = 86_400_000
/** Days before expiry from which the log warns. */
const SOON_DAYS = 14

/** The certificate that the settings name; null: plain HTTP. Throws ServingError. */
export function certificateOf(settings: Settings): Certificate | null {
  const [cert, key] = [settings.get('tls.cert'), settings.get('tls.key')]
  if (cert === '' && key === '') return null
  try {
    return readCertificate(cert, key)
  } catch (error) {
    throw new ServingError(error instanceof Error ? error.message : String(error), { cause: error })
  }
}

/**
 * Reloads the certificate when its files change, and on SIGHUP. One that cannot be used is logged once, and the
 * previous one stays in use.
 */
export function followCertificate(first: Certificate, server: ApiServer, settings: Settings, log: Log) {
  let current = first
  let refused = ''

  const say = ({ serial, endsMs }: Certificate, what: string): void => {
    const days = daysLeft(endsMs)
    const of = { serial, ends: new Date(endsMs).toISOString() }
    if (days < SOON_DAYS) log.warn(of, days < 0 ? 'the certificate has expired' : 'the certificate expires soon')
    else log.info(of, what)
  }

  function check(): void {
    try {
      const next = readCertificate(settings.get('tls.cert'), settings.get('tls.key'))
      refused = ''
      if (next.cert === current.cert && next.key === current.key) return
      server.renew(next)
      current = next
      say(next, 'new certificate in use')
    } catch (error) {
      const reason = error instanceof CertificateError ? error.message : 'the new certificate was rejected'
      if (reason !== refused) log.error({ reason }, 'cannot use the new certificate, keeping the current one')
      refused = reason
    }
  }

  const timer = setInterval(check, LOOK_MS)
  process.on('SIGHUP', check)
  say(first, 'HTTPS')
  return {
    metrics(): Metric[] {
      return [figure('portlight_tls_certificate_expiry_timestamp_seconds', current.endsMs / 1000)]
    },
    stop(): void {
      clearInterval(timer)
      process.off('SIGHUP', check)
    },
  }
}

const daysLeft = (endsMs: number): number => Math.round(((endsMs - Date.now()) / DAY_MS) * 100) / 100
