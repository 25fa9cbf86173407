/** Colours of everything except the series. */
export interface Theme {
  readonly dark: boolean
  readonly paper: string
  readonly text: string
  readonly muted: string
  readonly grid: string
  readonly minorGrid: string
  readonly axis: string
  /** Behind the series, while the device was down or under maintenance. */
  readonly outage: string
  readonly maintenance: string
}

/**
 * The light theme. Series colours are those of Okabe and Ito (2008), which are distinct for all types of colour vision.
 * Black and yellow are omitted: they resemble text and background here.
 */
export const THEME: Theme = {
  dark: false,
  paper: '#ffffff',
  text: '#2b2f36',
  muted: '#6a717c',
  grid: 'rgba(30, 40, 60, 0.10)',
  minorGrid: 'rgba(30, 40, 60, 0.045)',
  axis: '#8a919c',
  outage: '#fbe3dc',
  maintenance: '#e8ebf0',
}

export const DARK: Theme = {
  dark: true,
  paper: '#181b1f',
  text: '#d8dbe0',
  muted: '#949ba6',
  grid: 'rgba(220, 226, 240, 0.13)',
  minorGrid: 'rgba(220, 226, 240, 0.055)',
  axis: '#767d88',
  outage: '#42241d',
  maintenance: '#2a2f37',
}

const BLUE = '#0072b2'
const GREEN = '#009e73'
const VERMILLION = '#d55e00'
const ORANGE = '#e69f00'
const PURPLE = '#b8578f'
const SKY = '#3f9fd8'
const BROWN = '#8c5a2b'
const SLATE = '#5b6472'

/** Colours of a series: the line and, for areas, a lighter fill of the same hue. */
export interface Paint {
  readonly line: string
  readonly fill: string
}

export const PAINTS = {
  in: { line: GREEN, fill: '#a8dcc8' },
  out: { line: BLUE, fill: '#a3c8e6' },
  error: { line: VERMILLION, fill: '#f0a873' },
  discard: { line: ORANGE, fill: '#f6d58c' },
  broadcast: { line: PURPLE, fill: '#ddb0ca' },
  multicast: { line: SKY, fill: '#b3d9f1' },
  neutral: { line: BLUE, fill: '#b9d4ea' },
  spread: { line: SKY, fill: '#d3e8f5' },
  loss: { line: VERMILLION, fill: '#f3b78c' },
} as const satisfies Record<string, Paint>

/** Averages: the colour of text. */
export const INK: Paint = { line: THEME.text, fill: THEME.text }
/** Totals of stacks. */
export const TOTAL: Paint = { line: THEME.muted, fill: THEME.muted }

const LINES = [BLUE, ORANGE, GREEN, PURPLE, VERMILLION, SKY, BROWN, SLATE]

/** The paint of the n-th of many stacked areas: fills as light as those of `PAINTS`. */
export function stackPaint(n: number): Paint {
  const line = lineColour(n)
  return { line, fill: mix(line, 255, 0.6) }
}

/** Paints of a state by its severity: 0 ok, 1 warning, 2 critical, others unknown. */
export function statePaint(severity: number): Paint {
  return STATES[severity] ?? UNKNOWN
}

const UNKNOWN: Paint = { line: SLATE, fill: '#c9cdd4' }
const STATES: readonly Paint[] = [PAINTS.in, { line: ORANGE, fill: '#f6d58c' }, { line: VERMILLION, fill: '#f0a873' }]

/** A paint as the theme shows it: on dark paper, lighter lines and darker fills. */
export function themed(paint: Paint, { dark, text, muted }: Theme): Paint {
  if (!dark) return paint
  if (paint === INK) return { line: text, fill: text }
  if (paint === TOTAL) return { line: muted, fill: muted }
  const flat = paint.fill === paint.line
  const line = mix(paint.line, 255, 0.22)
  return { line, fill: flat ? line : mix(paint.line, 24, 0.52) }
}

/** Colour of the n-th of many lines: eight hues, then darker, then lighter variants, then repeating. */
export function lineColour(n: number): string {
  const hue = LINES[n % LINES.length] ?? BLUE
  const round = Math.floor(n / LINES.length) % 3
  return round === 0 ? hue : mix(hue, round === 1 ? 0 : 255, round === 1 ? 0.4 : 0.45)
}

function mix(hex: string, towards: number, share: number): string {
  const part = (at: number) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16)
    return Math.round(value + (towards - value) * share)
      .toString(16)
      .padStart(2, '0')
  }
  return `#${part(1)}${part(3)}${part(5)}`
}
