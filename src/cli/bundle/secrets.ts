import { percentDecoded } from '../../lib/percent-decoded.ts'

const NAMES = /pass|secret|token|key|communit|credential|auth|cookie|private|(^|_)url$|(^|_)v3$/i

/** Values of variables whose names suggest secrets, and the secret parts of URLs, JSON and lists in them. */
export function environmentSecrets(env: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(env).flatMap(([name, value]) =>
    value === undefined || !NAMES.test(name) ? [] : partsOf(value),
  )
}

function partsOf(value: string): string[] {
  const url = URL.parse(value)
  if (url !== null && url.host !== '') return [value, url.password, percentDecoded(url.password)]
  try {
    return [value, ...textsIn(JSON.parse(value))]
  } catch {
    return [value, ...value.split(',').map((part) => part.trim())]
  }
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}

/** Common words: replacing them would make the texts unreadable and hide nothing. */
const WORDS = new Set(
  [
    ...['public', 'private', 'true', 'false', 'null', 'none', 'yes', 'portlight', 'postgres', 'admin', 'localhost'],
    ...['noauthnopriv', 'authnopriv', 'authpriv', 'md5', 'sha', 'sha-1', 'sha-224', 'sha-256', 'sha-384', 'sha-512'],
    ...['des', 'aes', 'aes-128', 'aes-192', 'aes-256', 'aes-192-c', 'aes-256-c', 'get', 'post', 'put', 'json', 'text'],
  ].map((word) => word.toLowerCase()),
)

/** Whether a value is too common to be a secret: a protocol keyword, a short number, one or two characters. */
export function ordinary(text: string): boolean {
  return text.length < 3 || /^\d{1,5}$/.test(text) || WORDS.has(text.toLowerCase())
}
