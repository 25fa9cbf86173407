/** @jsxImportSource #jsx */
import type { Html } from '../jsx/jsx-runtime.ts'

/** Colour of a line, as in the stylesheet. */
export type ChartTone = 'in' | 'out' | 'err' | 'disc' | 'past'

/** A line of a chart. */
export interface ChartLine {
  /** Name of the line in `GET /api/v1/series`. */
  readonly line: string
  readonly label: string
  readonly tone: ChartTone
  /** Stored values are multiplied by this: 8 makes bit/s of octets/s. */
  readonly factor: number
  /** Drawn below the axis, shown without sign. */
  readonly below?: boolean
}

/** What the chart script draws. Sent to it as JSON. */
export interface ChartSpec {
  readonly kind: string
  readonly id: number
  readonly title: string
  readonly unit: string
  readonly lines: readonly ChartLine[]
  /** Highest possible value, drawn as a dotted line when values come near it; null: unknown. */
  readonly limit: number | null
  /** Draws the 95th percentile. */
  readonly p95: boolean
  readonly height: number
  /** Address of the same graph as PNG in API v0, and the query of the database, for copying. */
  readonly png: string | null
  readonly sql: string | null
}

/** The range of a page, as texts that graphs and series accept. */
export interface Range {
  readonly from: string
  readonly to: string
}

const RANGES = [
  ['-1h', '1 h'],
  ['-6h', '6 h'],
  ['-24h', '24 h'],
  ['-7d', '7 d'],
  ['-30d', '30 d'],
  ['-1y', '1 y'],
] as const

const RANGE_TEXT = /^[\w:+. -]{1,40}$/

/** The range in a page's address; the last 24 hours without one. */
export function rangeOf(query: URLSearchParams): Range {
  const text = (name: string, other: string) => {
    const given = query.get(name)
    return given !== null && RANGE_TEXT.test(given) ? given : other
  }
  return { from: text('from', '-24h'), to: text('to', 'now') }
}

/** Links that change the range of all charts of a page. */
export function RangeBar({ range, query }: { readonly range: Range; readonly query: URLSearchParams }): Html {
  const to = (from: string) => {
    const next = new URLSearchParams(query)
    next.delete('to')
    if (from === '-24h') next.delete('from')
    else next.set('from', from)
    return `?${next}`
  }
  return (
    <div class="range" data-range data-from={range.from} data-to={range.to}>
      <div class="seg" role="group" aria-label="Range">
        {RANGES.map(([from, label]) => (
          <a href={to(from)} data-from={from} aria-current={range.to === 'now' && range.from === from ? 'true' : null}>
            {label}
          </a>
        ))}
      </div>
      <button class="btn" type="button" data-shift="-1" hidden>
        Earlier
      </button>
      <button class="btn" type="button" data-shift="1" hidden>
        Later
      </button>
      <button class="btn" type="button" data-back hidden>
        Back
      </button>
      <span class="sub" data-zone />
    </div>
  )
}

/** A chart that scripts draw and keep current; without script it is a picture. */
export function Chart({
  spec,
  range,
  picture,
}: {
  readonly spec: ChartSpec
  readonly range: Range
  readonly picture: string
}): Html {
  const address = `${picture}?from=${encodeURIComponent(range.from)}&to=${encodeURIComponent(range.to)}`
  return (
    <div data-island="chart" data-spec={JSON.stringify(spec)}>
      <div class={spec.height < 220 ? 'chart-box small' : 'chart-box'} tabindex="0" role="img" aria-label={spec.title}>
        <noscript>
          <img src={`${address}&width=900&height=${spec.height}`} alt={spec.title} width="900" height={spec.height} />
        </noscript>
      </div>
      <div class="scroll">
        <table class="legend">
          <caption class="vh">{spec.title}</caption>
          <thead>
            <tr>
              <th scope="col">{spec.unit}</th>
              {['Now', 'Mean', 'Most', '95th', 'Total'].map((name) => (
                <th scope="col" class={name === 'Mean' || name === 'Total' ? 'num opt' : 'num'}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {spec.lines.map(({ label, tone }) => (
              <tr>
                <th scope="row">
                  <i class={`sw ${tone}`} />
                  {label}
                </th>
                <td class="num">–</td>
                <td class="num opt">–</td>
                <td class="num">–</td>
                <td class="num">–</td>
                <td class="num opt">–</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  )
}

/** A graph as a picture, in the theme of the page. */
export function GraphPicture({
  src,
  range,
  alt,
  theme,
  height,
  lazy,
}: {
  readonly src: string
  readonly range: Range
  readonly alt: string
  readonly theme: 'light' | 'dark' | null
  readonly height: number
  readonly lazy?: boolean
}): Html {
  const query = `from=${encodeURIComponent(range.from)}&to=${encodeURIComponent(range.to)}&width=760&height=${height}`
  const address = (shade: string) => `${src}${src.includes('?') ? '&' : '?'}${query}&theme=${shade}`
  return (
    <figure class="graph">
      <picture>
        {theme === null ? <source srcset={address('dark')} media="(prefers-color-scheme: dark)" /> : null}
        <img
          src={address(theme ?? 'light')}
          alt={alt}
          width="760"
          height={height}
          loading={lazy === true ? 'lazy' : null}
        />
      </picture>
    </figure>
  )
}
