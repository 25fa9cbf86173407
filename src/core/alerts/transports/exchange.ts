import type { Fields } from './fields.ts'

/** What was sent in an attempt and what came back, without secrets. Shown by tests of transports. */
export interface Exchange {
  /** Lines: for HTTP the method and URL, headers, an empty line, the body. */
  readonly request: string
  /** null: nothing came back, or the protocol has no answers. */
  readonly answer: string | null
}

/** Maximum number of exchanges that are kept of an attempt, and characters of each half. */
const MAX_EXCHANGES = 10
const MAX_TEXT = 4000
const HIDDEN = '***'
/** A shorter secret is found everywhere, so text with it is hidden as a whole. */
const MIN_SECRET = 4
const PRIVATE_HEADER =
  /^(?:authorization|cookie|set-cookie|(?!idempotency-).*(?:token|key|signature|secret|password).*)$/i

/** Takes an exchange with its secrets. `secrets`: those that are not settings of the transport. */
export type NoteExchange = (request: string, answer: string | null, secrets?: readonly string[]) => void

/** Collects the exchanges of an attempt. */
export interface ExchangeLog {
  readonly note: NoteExchange
  readonly exchanges: () => readonly Exchange[]
}

/** `fields` of the kind, and the settings of the transport, whose secret values are hidden wherever they appear. */
export function createExchangeLog(fields: Fields, settings: Readonly<Record<string, unknown>>): ExchangeLog {
  const known = secretsOf(fields, settings)
  const kept: Exchange[] = []
  return {
    note(request, answer, secrets = []) {
      if (kept.length >= MAX_EXCHANGES) return
      const hide = hiding([...known, ...secrets])
      kept.push({ request: shortened(hide(request)), answer: answer === null ? null : shortened(hide(answer)) })
    },
    exchanges: () => kept,
  }
}

/** Characters kept of a text before secrets are looked for, so that a cut never leaves a part of one. */
const MAX_SEARCHED = 200_000

function shortened(text: string): string {
  const shown = text.toWellFormed().replaceAll(/[^\P{Cc}\n\t]/gu, '\u00b7')
  return shown.length <= MAX_TEXT ? shown : `${shown.slice(0, MAX_TEXT).toWellFormed()}\n… ${shown.length} characters`
}

/** Values of secret settings, under our names and those of LibreNMS, and what is in them. */
function secretsOf(fields: Fields, settings: Readonly<Record<string, unknown>>): readonly string[] {
  const known = new Set(Object.entries(fields).flatMap(([name, { was }]) => [name, was ?? name]))
  const open = new Set(
    Object.entries(fields).flatMap(([name, { secret, was }]) =>
      secret === true ? [] : was === undefined ? [name] : [name, was],
    ),
  )
  const urls = new Set(
    Object.entries(fields).flatMap(([name, { type, was }]) =>
      type === 'url' ? [name, ...(was === undefined ? [] : [was])] : [],
    ),
  )
  return Object.entries(settings).flatMap(([name, value]) => {
    const texts = textsOf(value)
    // a setting that the kind does not know may be a secret of another version
    if (!known.has(name)) return texts.flatMap(partsOf).filter((part) => part.length >= MIN_SECRET)
    if (!open.has(name)) return texts.flatMap(partsOf)
    return urls.has(name) ? texts.flatMap(loginOf) : []
  })
}

function textsOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value.trim()]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : []
}

/** A secret and the parts of it that are secrets: of a URL, whose host is none, the path and query; of pairs, values. */
function partsOf(text: string): readonly string[] {
  const url = URL.parse(text)
  if (url !== null && /^https?:$/.test(url.protocol))
    return [
      ...[url.pathname.slice(1), url.search.slice(1), ...url.searchParams.values()].filter(
        (part) => part.length >= MIN_SECRET,
      ),
      ...url.pathname.split('/').filter((part) => part.length >= MIN_PART),
      ...loginOf(text),
    ]
  return [
    text,
    ...text.split(/[,\n]/).flatMap((line) => /^[^=]+=(.+)$/.exec(line.trim())?.[1] ?? []),
    ...text.split(/[\s:=,/]/).filter((part) => part.length >= MIN_PART),
  ]
}

/** Parts that are at least as long as this count as secrets; `services`, `hooks` and the like do not. */
const MIN_PART = 12

const loginOf = (text: string): readonly string[] => {
  const url = URL.parse(text)
  if (url === null || url.password === '') return []
  return [url.password, unescaped(url.password)]
}

/** A user name or password of a URL without its escapes; as it is where a % begins none, which URLs may contain. */
export function unescaped(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Replaces secrets, also in the forms in which requests contain them. */
function hiding(secrets: readonly string[]): (text: string) => string {
  const forms = [
    ...new Set(
      secrets.flatMap((secret) =>
        secret === ''
          ? []
          : [
              secret,
              encodeURIComponent(secret),
              new URLSearchParams({ s: secret }).toString().slice(2),
              quoted(secret),
            ],
      ),
    ),
  ].sort((a, b) => b.length - a.length)
  const short = forms.filter((form) => form.length < MIN_SECRET)
  const long = forms.filter((form) => form.length >= MIN_SECRET)
  return (text) => {
    const whole = text.slice(0, MAX_SEARCHED)
    return whole
      .split('\n')
      .map((line) => {
        const shown = long.reduce((left, form) => left.replaceAll(form, HIDDEN), line)
        return short.some((form) => shown.includes(form)) ? HIDDEN : shown
      })
      .join('\n')
  }
}

const quoted = (text: string): string => JSON.stringify(text).slice(1, -1)

/** A header as a line; those that are secrets by their name are hidden. */
export const headerLine = (name: string, value: string): string =>
  `${name}: ${PRIVATE_HEADER.test(name) ? (/^(?:Basic|Bearer|GenieKey|user_token|vapid)\b/.exec(value)?.[0] ?? '').concat(' ', HIDDEN).trim() : value}`
