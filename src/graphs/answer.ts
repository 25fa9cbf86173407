import type { GraphOptions, GraphOutcome } from '../core/base/graphs.ts'
import type { GraphType } from './catalogue/graph-type.ts'
import { chartOf } from './chart.ts'
import { createBudget } from './fairly.ts'
import { figures } from './figures.ts'
import type { createImageQueue } from './image-queue.ts'
import { layoutSteps, plottedFor } from './layout.ts'
import { flag, type Size } from './options.ts'
import { DARK, THEME } from './palette.ts'
import { plotted } from './plotted.ts'
import type { SeriesData, Shades } from './series-source.ts'
import { svgSteps } from './svg.ts'
import { type Extras, traceSteps } from './trace.ts'

/** What is drawn, and how it was requested. */
export interface Answered {
  readonly fromS: number
  readonly toS: number
  readonly size: Size
  readonly title: string | null
  readonly options: GraphOptions
  readonly extras: Extras
  /** null: none are known. */
  readonly shades: Shades | null
  readonly leastTick?: 'month'
  /** The query of a chart; null or absent: none. */
  readonly sql?: string | null
}

interface AnswerDeps {
  /** Draws one image at a time. */
  readonly queue: ReturnType<typeof createImageQueue>
  /** Longest time of one graph, ms; undefined: as in operation. */
  readonly budgetMs: number | undefined
  /** The current time, epoch seconds. */
  readonly nowS: number
}

/** A graph in the form that the options request: numbers, a chart, or an image in SVG or PNG. */
export async function answerOf(
  { queue, budgetMs, nowS }: AnswerDeps,
  type: GraphType,
  data: SeriesData,
  o: Answered,
): Promise<GraphOutcome> {
  const { size, options, extras } = o
  const fairly = createBudget(budgetMs)
  const input = {
    type,
    traces: await fairly(traceSteps(type, data, flag(options['inverse']), extras)),
    timeS: data.timeS,
    stepS: data.stepS,
    ...(data.currentS !== undefined && { currentS: data.currentS }),
    ...(data.level !== undefined && { level: data.level }),
    fromS: o.fromS,
    toS: o.toS,
    nowS,
    width: size.width,
    height: size.height,
    title: o.title,
    legend: options['legend'] !== 'no',
    theme: options['theme'] === 'dark' ? DARK : THEME,
    limits: extras.limits,
    ...(o.shades !== null && { shades: o.shades }),
    ...(o.leastTick && { leastTick: o.leastTick }),
  }
  const { output } = options
  if (output === 'json' || output === 'chart') {
    const values = size.points === null ? plottedFor(input) : plotted(data, input.traces, size.points)
    const level = data.level ?? null
    return output === 'json'
      ? { kind: 'figures', figures: figures(input, values, level) }
      : { kind: 'chart', chart: chartOf(input, values, level, o.sql ?? null) }
  }
  if (options['output'] === 'svg' || options['graph_type'] === 'svg') {
    const svg = await queue(async ({ measure }) => await fairly(svgSteps(await fairly(layoutSteps(input, measure)))))
    return { kind: 'image', bytes: new TextEncoder().encode(svg), contentType: 'image/svg+xml' }
  }
  const bytes = await queue(async (renderer) =>
    renderer.renderFairly(await fairly(layoutSteps(input, renderer.measure)), fairly),
  )
  return { kind: 'image', bytes, contentType: 'image/png' }
}
