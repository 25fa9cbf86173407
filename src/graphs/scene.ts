import type { Theme } from './palette.ts'

/**
 * A graph as geometry, computed by `layout.ts` and drawn by `render.ts` and `svg.ts`. In pixels; (0, 0) is the top left
 * corner.
 */
export interface Scene {
  readonly width: number
  readonly height: number
  readonly theme: Theme
  /** The area that the series are clipped to. */
  readonly plot: Rect
  /** Behind everything else: outages and maintenance. */
  readonly shades: readonly Shade[]
  /** Drawn next, in this order. */
  readonly areas: readonly Area[]
  /** Horizontal grid lines, drawn over the areas, in whole pixels. */
  readonly gridY: readonly number[]
  readonly gridX: readonly number[]
  readonly minorX: readonly number[]
  /** Position of zero; null when it is outside the plot. */
  readonly zeroY: number | null
  readonly lines: readonly Line[]
  readonly texts: readonly Text[]
  readonly swatches: readonly Swatch[]
}

export interface Rect {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

/** A range of x over the height of the plot. */
export interface Shade {
  readonly left: number
  readonly right: number
  readonly fill: string
}

/**
 * Steps of (x0, x1, y, base): one filled box each, with integer x. Adjacent boxes are drawn as one shape, others leave
 * a gap. `edge` is the colour of the line along y, null for none.
 */
export interface Area {
  readonly steps: Float32Array
  readonly fill: string
  readonly edge: string | null
}

/** Steps of (x0, x1, y, y) as in an area. */
export interface Line {
  readonly steps: Float32Array
  readonly colour: string
  /** Pixels; absent: 1. */
  readonly width?: 1 | 2
  /** Horizontal parts only: 5 pixels drawn, 3 not. */
  readonly dashed?: true
}

export interface Text {
  readonly text: string
  readonly x: number
  /** Baseline. */
  readonly y: number
  readonly size: number
  readonly align: 'left' | 'center' | 'right'
  readonly colour: string
}

export interface Swatch extends Rect {
  readonly fill: string
  readonly edge: string
}

/** Width in pixels of a text at a font size. */
export type Measure = (text: string, size: number) => number
