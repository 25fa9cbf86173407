import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'

/** A certificate with its chain and key, PEM. */
export interface Certificate {
  readonly cert: string
  readonly key: string
  /** Hexadecimal. */
  readonly serial: string
  /** When it expires, epoch ms. */
  readonly endsMs: number
}

/** Says in one sentence why the certificate and key cannot be used. */
export class CertificateError extends Error {
  override readonly name = 'CertificateError'
}

/** Reads and checks the certificate and key. Throws CertificateError. */
export function readCertificate(certFile: string, keyFile: string): Certificate {
  if (certFile === '' || keyFile === '') throw new CertificateError('tls.cert and tls.key must both be set')
  const cert = read('tls.cert', certFile)
  const key = read('tls.key', keyFile)
  const first = parsed('tls.cert', certFile, 'certificate', () => new X509Certificate(cert))
  const secret = parsed('tls.key', keyFile, 'private key', () => createPrivateKey(key))
  if (!first.checkPrivateKey(secret))
    throw new CertificateError(`tls.key: ${keyFile} is not the key of the certificate in ${certFile}`)
  return { cert, key, serial: first.serialNumber, endsMs: Date.parse(first.validTo) }
}

function read(setting: string, file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
    throw new CertificateError(`${setting}: ${file} cannot be read (${code})`)
  }
}

/** Drops the library's own error messages, because they may quote the file. */
function parsed<T>(setting: string, file: string, what: string, parse: () => T): T {
  try {
    return parse()
  } catch {
    throw new CertificateError(`${setting}: ${file} holds no ${what} in PEM that can be read without a passphrase`)
  }
}
