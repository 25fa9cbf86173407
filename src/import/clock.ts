const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** Dates that mean "never". */
const NEVER_MS = 2 * DAY_MS

/** `YYYY-MM-DD HH:MM:SS` as if it were UTC, epoch ms; NaN: no date, or one that means "never". */
export function utcOf(text: string): number {
  const match = /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?)?$/.exec(text)
  if (match === null) return Number.NaN
  const ms = Date.parse(`${match[1]}T${match[2] ?? '00:00:00'}.${(match[3] ?? '0').padEnd(3, '0').slice(0, 3)}Z`)
  return ms < NEVER_MS ? Number.NaN : ms
}

/** Wall clock of a zone. Throws RangeError for a zone that is not known. */
export class Clock {
  private readonly format: Intl.DateTimeFormat
  private readonly offsets = new Map<number, number>()

  constructor(readonly zone: string) {
    this.format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset', hourCycle: 'h23' })
  }

  /** The instant of a local date and time. Where the clock is set back the first of the two; a time that is jumped over is moved forward. NaN: no date. */
  instant(text: string): number {
    return this.instants(text)[0] ?? Number.NaN
  }

  /** The same for rows that do not go back in time: `before` is the instant of the row before. */
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

  /** Local time less UTC, ms. */
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
