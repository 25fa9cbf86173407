const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** Dates that mean "never". */
const NEVER_MS = 2 * DAY_MS

/** `YYYY-MM-DD HH:MM:SS` interpreted as UTC, epoch ms; NaN: not a date, or one that means "never". */
export function utcOf(text: string): number {
  const match = /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?)?$/.exec(text)
  if (match === null) return Number.NaN
  const ms = Date.parse(`${match[1]}T${match[2] ?? '00:00:00'}.${(match[3] ?? '0').padEnd(3, '0').slice(0, 3)}Z`)
  return ms < NEVER_MS ? Number.NaN : ms
}

/** The wall clock of a time zone. Throws RangeError for an unknown zone. */
export class Clock {
  private readonly format: Intl.DateTimeFormat
  private readonly offsets = new Map<number, number>()

  constructor(readonly zone: string) {
    this.format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset', hourCycle: 'h23' })
  }

  /**
   * The instant of a local date and time, epoch ms. A time that occurs twice when clocks are set back is taken as the
   * first of the two; one that is skipped is moved forward. NaN: not a date.
   */
  instant(text: string): number {
    return this.instants(text)[0] ?? Number.NaN
  }

  /** The same for rows in order of time, where `before` is the instant of the previous row. */
  instantAfter(text: string, before: number): number {
    const found = this.instants(text)
    return found.find((ms) => !(ms < before)) ?? found[0] ?? Number.NaN
  }

  private instants(text: string): readonly number[] {
    const local = utcOf(text)
    if (Number.isNaN(local)) return []
    if (this.zone === 'UTC') return [local]
    const offsets = [this.offset(local - DAY_MS), this.offset(local + DAY_MS)]
    const fitting = offsets.map((o) => local - o).filter((ms) => this.offset(ms) === local - ms)
    if (fitting.length === 0) return [local - (offsets[0] ?? 0)]
    return [...new Set(fitting)].toSorted((a, b) => a - b)
  }

  /** Local time minus UTC, ms. */
  private offset(ms: number): number {
    const quarter = Math.floor(ms / (HOUR_MS / 4))
    const known = this.offsets.get(quarter)
    if (known !== undefined) return known
    const name =
      this.format.formatToParts(quarter * (HOUR_MS / 4)).find(({ type }) => type === 'timeZoneName')?.value ?? ''
    const [, sign = '+', hours = '0', minutes = '0'] = /^GMT([+-])(\d\d):(\d\d)/.exec(name) ?? []
    const offset = (sign === '-' ? -1 : 1) * (Number(hours) * HOUR_MS + Number(minutes) * 60_000)
    if (this.offsets.size > 200_000) this.offsets.clear()
    this.offsets.set(quarter, offset)
    return offset
  }
}
