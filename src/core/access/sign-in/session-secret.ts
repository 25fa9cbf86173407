/** Random bytes in a session's secret. */
const SECRET_OCTETS = 32
const SECRET = /^[\w-]{43}$/

/** A new secret of a session, which the browser keeps. */
export const newSecret = (): string =>
  crypto.getRandomValues(new Uint8Array(SECRET_OCTETS)).toBase64({ alphabet: 'base64url', omitPadding: true })

/** Whether a text can be the secret of a session. */
export const isSecret = (text: string): boolean => SECRET.test(text)

/** What is stored of a secret. */
export const hashOf = (secret: string): string => sha256(secret)

/** A session's CSRF token, derived from its secret without revealing it. */
export const csrfOf = (secret: string): string => sha256(`csrf ${secret}`).slice(0, 32)

const sha256 = (text: string) => new Bun.CryptoHasher('sha256').update(text).digest('hex')
