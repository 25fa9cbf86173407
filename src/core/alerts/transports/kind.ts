import type { Fields, ValuesOf } from './fields.ts'
import { readFields } from './fields.ts'
import type { HttpRequest, HttpResponse } from './http.ts'
import { sendHttp } from './http.ts'
import type { AlertNotification, Delivery } from './notification.ts'
import type { DeliveryDeps } from './resolve.ts'

/** Circumstances of an attempt to send. */
export interface Moment {
  /** Epoch ms of the attempt. */
  readonly now: number
}

const DEADLINE_MS = 15_000

/** A kind of transport. */
export interface Transport {
  readonly name: string
  /** What LibreNMS calls it, if that differs; such rows are accepted. */
  readonly was: readonly string[]
  /** Display name. */
  readonly title: string
  /** What it sends and what to know about it, in one or two sentences. */
  readonly about: string
  readonly fields: Fields
  /** Time limit of an attempt, ms. */
  readonly deadlineMs: number
  /** Problems in settings, as text without values; empty: they are valid. */
  check(settings: Settings): readonly string[]
  /** Sends a notification. Throws SendError; any other error is a bug. */
  send(notification: AlertNotification, settings: Settings, deps: DeliveryDeps): Promise<Delivery>
}

type Settings = Readonly<Record<string, unknown>>

interface KindOf<F extends Fields> {
  readonly name: string
  readonly was?: readonly string[]
  readonly title: string
  readonly about: string
  readonly fields: F
  /** Default 15 s. */
  readonly deadlineMs?: number
  /** Converts LibreNMS settings that differ in more than their names. */
  readonly adapt?: (settings: Settings) => Settings
  /** Problems that types do not cover. */
  readonly problems?: (values: ValuesOf<F>) => readonly string[]
}

/** Declares a kind with its own way of sending. */
export function kind<const F extends Fields>(
  declared: KindOf<F> & {
    readonly send: (notification: AlertNotification, values: ValuesOf<F>, deps: DeliveryDeps) => Promise<Delivery>
  },
): Transport {
  const {
    name,
    was = [],
    title,
    about,
    fields,
    adapt = (settings: Settings) => settings,
    problems = () => [],
  } = declared
  const read = (settings: Settings) => {
    const found = readFields(fields, adapt(settings))
    if (found.kind === 'wrong') return found
    const wrong = problems(found.values)
    return wrong.length > 0 ? ({ kind: 'wrong', problems: wrong } as const) : found
  }
  return {
    name,
    was,
    title,
    about,
    fields,
    deadlineMs: declared.deadlineMs ?? DEADLINE_MS,
    check(settings) {
      const found = read(settings)
      return found.kind === 'wrong' ? found.problems : []
    },
    async send(notification, settings, deps) {
      const found = read(settings)
      if (found.kind === 'wrong') return { kind: 'refused', reason: found.problems.join('; ') }
      return await declared.send(notification, found.values, deps)
    },
  }
}

/** Declares a kind that sends one HTTP request. `request` returns null if there is nothing to send. */
export function httpKind<const F extends Fields>(
  declared: KindOf<F> & {
    readonly request: (notification: AlertNotification, values: ValuesOf<F>, moment: Moment) => HttpRequest | null
    /** For receivers whose body says more than the status; null: the status decides. */
    readonly judge?: (response: HttpResponse) => Delivery | null
  },
): Transport {
  return kind({
    ...declared,
    async send(notification, values, deps) {
      const request = declared.request(notification, values, { now: deps.now() })
      if (request === null) return { kind: 'delivered' }
      const response = await sendHttp(request, deps)
      return declared.judge?.(response) ?? judged(response, deps.now())
    },
  })
}

/** The result by status: 2xx delivered; 408, 429 and 5xx retry, not before Retry-After; anything else refused. */
export function judged({ status, headers }: HttpResponse, now: number): Delivery {
  if (status >= 200 && status < 300) return { kind: 'delivered' }
  const reason = `the receiver answered ${status}`
  if (status >= 300 && status < 400) return { kind: 'refused', reason: `${reason}: redirects are not followed` }
  if (status !== 408 && status !== 429 && status < 500) return { kind: 'refused', reason }
  return again(reason, retryAfterMs(headers['retry-after'], now))
}

export function again(reason: string, afterMs: number | null): Delivery {
  return afterMs === null ? { kind: 'retry', reason } : { kind: 'retry', reason, afterMs }
}

const MAX_AFTER_MS = 1e9

/**
 * For a 429 whose body says how long to wait: the value from `pick`, in units of `unitMs`. Null for other responses.
 */
export function limited(
  response: HttpResponse,
  pick: (body: Readonly<Record<string, unknown>> | null) => unknown,
  unitMs: number,
): Delivery | null {
  const after = response.status === 429 ? pick(answered(response)) : null
  const ms = typeof after === 'number' ? Math.ceil(after * unitMs) : Number.NaN
  return ms >= 0 && ms < MAX_AFTER_MS ? again('the receiver answered 429', ms) : null
}

/** Retry-After (RFC 9110 §10.2.3): seconds or a date; some services send fractions. Null if absent or invalid. */
export function retryAfterMs(header: string | string[] | undefined, now: number): number | null {
  const text = (Array.isArray(header) ? header[0] : header)?.trim() ?? ''
  if (/^\d{1,9}(\.\d{1,6})?$/.test(text)) return Math.ceil(Number(text) * 1000)
  const at = text === '' ? Number.NaN : Date.parse(text)
  return Number.isNaN(at) ? null : Math.max(0, at - now)
}

/** A POST of JSON. */
export function postJson(url: string, body: unknown, headers: Readonly<Record<string, string>> = {}): HttpRequest {
  return {
    method: 'POST',
    url,
    headers: { 'Content-Type': 'application/json', Accept: 'application/json', ...headers },
    body: JSON.stringify(body),
  }
}

/** A POST of a form (application/x-www-form-urlencoded). */
export function postForm(
  url: string,
  members: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
): HttpRequest {
  return {
    method: 'POST',
    url,
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', Accept: 'application/json', ...headers },
    body: new URLSearchParams(members).toString(),
  }
}

/** The body of a response as a JSON object; null if it is not one. */
export function answered({ body }: HttpResponse): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(body)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null
  } catch {
    return null
  }
}

/** Only the members that are not empty. */
export const given = (texts: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== ''))
