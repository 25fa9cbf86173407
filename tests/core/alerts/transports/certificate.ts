import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A self-signed certificate for a name, made by openssl: `key.pem` and `cert.pem` in the folder. */
export function makeCertificate(folder: string, name: string): { readonly key: string; readonly cert: string } {
  const key = join(folder, 'key.pem')
  const cert = join(folder, 'cert.pem')
  const made = Bun.spawnSync(
    [
      'openssl',
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:prime256v1',
      '-nodes',
      '-days',
      '30',
    ].concat(['-keyout', key, '-out', cert, '-subj', `/CN=${name}`, '-addext', `subjectAltName=DNS:${name}`]),
  )
  if (!made.success) throw new Error(`openssl: ${made.stderr.toString()}`)
  return { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') }
}
