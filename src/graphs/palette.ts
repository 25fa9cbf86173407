/**
 * The light theme. Series colours are those of Okabe and Ito (2008), which are distinct for all types of colour vision.
 * Black and yellow are omitted: they resemble text and background here.
 */
export const THEME = {
  paper: '#ffffff',
  text: '#2b2f36',
  muted: '#6a717c',
  grid: 'rgba(30, 40, 60, 0.10)',
  minorGrid: 'rgba(30, 40, 60, 0.045)',
  axis: '#8a919c',
} as const

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

const LINES = [BLUE, ORANGE, GREEN, PURPLE, VERMILLION, SKY, BROWN, SLATE]

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
