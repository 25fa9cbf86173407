/** @jsxImportSource #jsx */
import { formatIpv6, parseIpv6 } from '@portlight/addresses/ip.ts'
import { type MeasureForm, measureText } from '../../lib/measure.ts'
import { readable, scalePrefix } from '../../lib/si.ts'
import { clockOf, OWN_CLOCK, offsetText } from '../../lib/zone-clock.ts'
import type { Child, Html } from '../jsx/jsx-runtime.ts'
import { pageZone } from './zone.tsx'

/** Three significant digits, a space, the SI prefix and the unit: `232 Mbit/s`. */
export function amount(value: number, unit: string): string {
  if (!Number.isFinite(value)) return '–'
  const { divisor, prefix } = scalePrefix(value, 'large')
  const scaled = value / divisor
  const size = Math.abs(scaled)
  const digits = size === 0 || size >= 100 ? 0 : size >= 10 ? 1 : 2
  return `${scaled.toFixed(digits).replace('-', '−')} ${prefix}${unit}`.trimEnd()
}

/** A measured value with its unit, as on charts: `−17.3 dBm`. */
export const measuredText = (form: MeasureForm, value: number): string => measureText(form, value).replace('-', '−')

/** A measured time in seconds, with three significant digits: `8.3 ms`, `1.24 s`, `2 min`. */
export const secondsText = (seconds: number): string =>
  seconds >= 100 ? duration(seconds) : readable(Number(seconds.toPrecision(3)), 's', 'all')

/** A whole number, with digits grouped from five digits on: `12 480`. */
export function count(value: number): string {
  const text = String(Math.round(value))
  return text.length < 5 ? text : text.replaceAll(/\B(?=(\d{3})+$)/g, '\u2009')
}

/** A dash for a missing value; `why` is shown on hover. */
export function Unknown({ why }: { readonly why?: string }) {
  return (
    <span class="sub" title={why}>
      –
    </span>
  )
}

/** A number with its unit; null is no value. */
export function Amount({
  value,
  unit,
  why,
}: {
  readonly value: number | null
  readonly unit: string
  readonly why?: string
}) {
  return value === null ? <Unknown {...(why !== undefined && { why })} /> : <span>{amount(value, unit)}</span>
}

/** A percentage with a bar; amber from 75, red from 90. `calm`: a high value is not a bad one, so there is no colour. */
export function Share({
  percent,
  why,
  calm,
}: {
  readonly percent: number | null
  readonly why?: string
  readonly calm?: boolean
}) {
  if (percent === null) return <Unknown {...(why !== undefined && { why })} />
  const tone = calm === true ? 'calm' : percent >= 90 ? 'bad' : percent >= 75 ? 'warn' : 'calm'
  return (
    <span class="mv">
      <svg class={`meter ${tone}`} viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
        <rect width={Math.max(0, Math.min(100, Math.round(percent)))} height="6" />
      </svg>
      <span>{Math.round(percent)} %</span>
    </span>
  )
}

/** Text from a device: control characters are made visible, and it may be right-to-left. null and '': no value. */
export function DeviceText({ text, long }: { readonly text: string | null; readonly long?: boolean }) {
  if (text === null || text.trim() === '') return <Unknown />
  return (
    <span class={long === true ? null : 'ell'} dir="auto" title={long === true ? null : plain(text)}>
      {plain(text)}
    </span>
  )
}

/** A location without the coordinates that many of them end with: `Bern, Bundesplatz [46.9, 7.4]`. */
export const placeText = (text: string) => plain(text.replace(/\s*\[-?[\d.]+\s*,\s*-?[\d.]+\]\s*$/, ''))

/** Replaces control characters other than line breaks with a dot; CR LF counts as a line break. */
export function plain(text: string): string {
  const lines = text.replaceAll('\r\n', '\n')
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is replaced
  return lines.replaceAll(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, '·')
}

/** Our own text, in which backticks mark code. */
export function Words({ text }: { readonly text: string }): Html {
  return <>{text.split('`').map((part, i) => (i % 2 === 1 ? <code>{part}</code> : part))}</>
}

/** A duration in its two largest units up to a day, then days: `8 min`, `1 h 12 min`, `3 d`. */
export function duration(seconds: number): string {
  const s = Math.max(0, Math.round(seconds))
  if (s < 60) return `${s} s`
  if (s < 3600) return `${Math.floor(s / 60)} min`
  if (s < 86_400) {
    const minutes = Math.floor((s % 3600) / 60)
    return `${Math.floor(s / 3600)} h${minutes === 0 ? '' : ` ${minutes} min`}`
  }
  const [days, hours] = [Math.floor(s / 86_400), Math.floor((s % 86_400) / 3600)]
  return days >= 10 || hours === 0 ? `${days} d` : `${days} d ${hours} h`
}

/** A share of time, cut off instead of rounded: only what was never down has 100 %. */
export function percentUp(percent: number): string {
  const cut = Math.floor(percent * 100 + 1e-6) / 100
  return percent > 0 && cut === 0 ? 'under 0.01 %' : `${cut.toFixed(2)} %`
}

/**
 * A point in time: its age up to 48 h, then the date; the full time on hover. Scripts keep ages up to date. `clock`: date and time instead of the age, for logs.
 */
export function Time({
  at,
  nowMs,
  clock,
  bare,
}: {
  readonly at: Date | null
  readonly nowMs: number
  readonly clock?: boolean
  readonly bare?: boolean
}) {
  if (at === null) return <Unknown why="never" />
  const age = (nowMs - at.getTime()) / 1000
  const form = clock === true ? 'clock' : bare === true ? 'age' : 'ago'
  const text =
    clock === true
      ? clockOf(OWN_CLOCK, at.getTime())
      : age > 172_800
        ? clockOf(OWN_CLOCK, at.getTime()).slice(0, 10)
        : `${duration(age)}${bare === true ? '' : ' ago'}`
  return (
    <time
      datetime={at.toISOString()}
      title={`${clockOf(OWN_CLOCK, at.getTime())} (${pageZone()}, ${offsetText(OWN_CLOCK, at.getTime())})`}
      data-t={form}
    >
      {text}
    </time>
  )
}

/** An address as people write it: IPv6 shortened (RFC 5952), although it is stored in full; other text unchanged. */
export function addressText(text: string): string {
  const octets = text.includes(':') ? parseIpv6(text) : null
  return octets === null ? plain(text) : formatIpv6(octets)
}

/** When values were read that are no longer current, because the device does not answer. */
export const LastSeen = ({ at, nowMs }: { readonly at: Date; readonly nowMs: number }) => (
  <span class="old">
    last seen <Time at={at} nowMs={nowMs} />
  </span>
)

/** A MAC address given as 12 hex digits, with colons. */
export const mac = (digits: string) => (digits.match(/../g) ?? [digits]).join(':')

/** A card with a heading. */
export function Card({
  title,
  sub,
  right,
  children,
}: {
  readonly title: string
  readonly sub?: Child
  readonly right?: Child
  readonly children?: Child
}) {
  return (
    <section class="card">
      <header>
        <h2>{title}</h2>
        {sub === undefined ? null : <span class="sub">{sub}</span>}
        {right === undefined ? null : <span class="right">{right}</span>}
      </header>
      {children}
    </section>
  )
}

/** A page of the help, without its `/help/`, and what it says. */
export type HelpLink = readonly [page: string, label: string]

/** Shown in place of an empty list. Children or `help` say what to do next. */
export function Empty({
  title,
  help,
  children,
}: {
  readonly title: string
  readonly help?: HelpLink | undefined
  readonly children?: Child
}) {
  return (
    <div class="empty">
      <h2>{title}</h2>
      {children}
      {help === undefined ? null : (
        <p>
          <a href={`/help/${help[0]}`}>{help[1]}</a>
        </p>
      )}
    </div>
  )
}
