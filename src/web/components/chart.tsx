/** @jsxImportSource #jsx */
import type { Child, Html } from '../jsx/jsx-runtime.ts'
import type { Range } from './range.tsx'
import { Card } from './values.tsx'

/** A line across a chart, in the unit of the graph. */
export interface ChartLimit {
  readonly label: string
  readonly value: number
  readonly severe: boolean
  /** Drawn on both sides of the axis. */
  readonly mirrored?: boolean
}

/** What the chart script is to draw, passed to it as JSON. */
export interface ChartSpec {
  /**
   * Address of the graph under `/graph`, which serves both the image and the numbers: `/graph/device/7/device_bits`.
   */
  readonly src: string
  readonly title: string
  /** Height in pixels, without the legend. */
  readonly height: number
  /** The device whose alerts and events are marked and whose polls bring new values; null: none, or not granted. */
  readonly device: number | null
  /** Marks only the events of this port. */
  readonly port?: number
  /** Limits in addition to those that the graph itself has. */
  readonly limits?: readonly ChartLimit[]
  /** Draws the 95th percentiles. */
  readonly p95?: boolean
  /** Address of the same graph in API v0, for copying; null if there is none. */
  readonly api: string | null
  /** Expected number of rows in the legend, if known. */
  readonly rows?: number
  /** Range of this chart; absent: that of the page. */
  readonly range?: Range
}

/** Rows of a legend that are visible without scrolling. */
const MAX_ROWS = 8

const withRange = (src: string, { from, to }: Range, height: number) =>
  `${src}${src.includes('?') ? '&' : '?'}from=${encodeURIComponent(from)}&to=${encodeURIComponent(to)}&width=900&height=${height}`

/** A chart that a script draws and keeps up to date; without scripts it is an image. */
export function Chart({ spec, range }: { readonly spec: ChartSpec; readonly range: Range }): Html {
  const rows = Math.min(MAX_ROWS, spec.rows ?? 0)
  const picture = withRange(spec.src, spec.range ?? range, Math.max(160, spec.height + 20 * (rows + 1)))
  return (
    <div data-island="chart" data-spec={JSON.stringify(spec)}>
      <div
        class={
          spec.height >= 220
            ? 'chart-box'
            : spec.height >= 170
              ? 'chart-box small'
              : spec.height >= 125
                ? 'chart-box low'
                : 'chart-box lane'
        }
        tabindex="0"
        role="group"
        aria-label={spec.title}
      >
        <noscript>
          <img src={picture} alt={spec.title} width="900" loading="lazy" />
        </noscript>
      </div>
      <div class="legend-box" tabindex="0" role="region" aria-label={`Values of ${spec.title}`} hidden={rows === 0}>
        <table class="legend">
          <caption class="vh">{spec.title}</caption>
          <tbody>
            {Array.from({ length: rows + 1 }, () => (
              <tr>
                <td>&nbsp;</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  )
}

/** A card with a chart and its copy menu. `empty`: why there cannot be any values yet; null: there may be some. */
export function ChartCard({
  spec,
  range,
  title,
  sub,
  empty = null,
  children,
}: {
  readonly spec: ChartSpec
  readonly range: Range
  readonly title?: string
  readonly sub?: string | number | undefined
  readonly empty?: Child
  /** Shown above the chart. */
  readonly children?: Child
}): Html {
  return (
    <Card title={title ?? spec.title} sub={sub} right={empty === null ? <Copy spec={spec} range={range} /> : undefined}>
      {children ?? null}
      <div class="body">
        {empty === null ? <Chart spec={spec} range={range} /> : <p class="chart-none">No data yet. {empty}</p>}
      </div>
    </Card>
  )
}

/** In place of a chart that shows only zeros: a line that says so, and opens the chart. */
export const QuietChart = ({
  spec,
  range,
  words,
}: {
  readonly spec: ChartSpec
  readonly range: Range
  readonly words: string
}): Html => (
  <details class="card quiet">
    <summary>
      {words} <span class="sub">{spec.title}</span>
    </summary>
    <div class="body">
      <Chart spec={spec} range={range} />
    </div>
  </details>
)

/** The menu that copies a chart's address or query. */
const Copy = ({ spec, range }: { readonly spec: ChartSpec; readonly range: Range }): Html => (
  <details class="menu" data-copy-menu>
    <summary class="btn s-s">Save or copy…</summary>
    <div class="sheet">
      <Downloads src={spec.src} range={spec.range ?? range} />
      <button class="btn s-s bare" type="button" data-copy-as="png" hidden>
        PNG address
      </button>
      {spec.api === null ? null : (
        <button class="btn s-s bare" type="button" data-copy-as="json" hidden>
          JSON address, with a token
        </button>
      )}
      <button class="btn s-s bare" type="button" data-copy-as="sql" hidden>
        SQL
      </button>
    </div>
  </details>
)

/** Links that download a graph as an image and as a table of its values. */
export const Downloads = ({ src, range }: { readonly src: string; readonly range: Range }): Html => (
  <>
    {(['png', 'csv'] as const).map((kind) => (
      <a class="btn s-s bare" href={`${withRange(src, range, 400)}&${FILES[kind]}`} data-file={FILES[kind]} download>
        {kind.toUpperCase()}
      </a>
    ))}
  </>
)

/** Parameters of a graph's address for its files. */
const FILES = { png: 'graph_type=png&download=1', csv: 'format=csv' } as const

/** A graph as an image, in the theme of the page. */
export function GraphPicture({
  src,
  range,
  alt,
  theme,
  height,
}: {
  readonly src: string
  readonly range: Range
  readonly alt: string
  readonly theme: 'light' | 'dark' | null
  readonly height: number
}): Html {
  const query = `from=${encodeURIComponent(range.from)}&to=${encodeURIComponent(range.to)}&width=760&height=${height}`
  const address = (shade: string) => `${src}${src.includes('?') ? '&' : '?'}${query}&theme=${shade}`
  return (
    <figure class="graph">
      <picture>
        {theme === null ? <source srcset={address('dark')} media="(prefers-color-scheme: dark)" /> : null}
        <img src={address(theme ?? 'light')} alt={alt} width="760" height={height} />
      </picture>
    </figure>
  )
}
