import { readFileSync } from 'node:fs'
import { createCanvas } from '@napi-rs/canvas'

/**
 * Draws the minutes that bench/soak.ts printed: `bun bench/soak-picture.ts LOG PNG`. Every panel begins at 0, so that
 * what looks flat is flat.
 */

type Minute = Readonly<Record<string, number>>

interface Panel {
  readonly title: string
  readonly lines: readonly (readonly [name: string, label: string])[]
}

const PANELS: readonly Panel[] = [
  {
    title: 'Memory, MiB',
    lines: [
      ['rss', 'server, RSS'],
      ['anon', 'server, anonymous'],
      ['database', 'PostgreSQL, not shared'],
    ],
  },
  {
    title: 'Open files, threads, processes',
    lines: [
      ['files', 'open files'],
      ['threads', 'threads'],
      ['backends', 'processes of PostgreSQL'],
    ],
  },
  { title: 'Temporary files', lines: [['temporary', 'files']] },
  {
    title: 'Tables of constant rows, MiB',
    lines: [
      ['tables', 'tables'],
      ['indexes', 'indexes'],
    ],
  },
  { title: 'Dead rows in them', lines: [['deadRows', 'rows']] },
  { title: 'History: samples, roll-ups, logs, MiB', lines: [['history', 'partitions']] },
]
const COLOURS = ['#2563eb', '#d97706', '#059669']
const WIDTH = 400
const HEIGHT = 220
const COLUMNS = 3
const MARGIN = { left: 58, right: 14, top: 46, bottom: 30 }

function draw(minutes: readonly Minute[]): Buffer {
  const rows = Math.ceil(PANELS.length / COLUMNS)
  const canvas = createCanvas(WIDTH * COLUMNS, HEIGHT * rows)
  const context = canvas.getContext('2d')
  context.fillStyle = '#ffffff'
  context.fillRect(0, 0, canvas.width, canvas.height)
  for (const [i, panel] of PANELS.entries()) {
    context.save()
    context.translate((i % COLUMNS) * WIDTH, Math.floor(i / COLUMNS) * HEIGHT)
    drawPanel(context, panel, minutes)
    context.restore()
  }
  return canvas.toBuffer('image/png')
}

function drawPanel(
  context: ReturnType<ReturnType<typeof createCanvas>['getContext']>,
  { title, lines }: Panel,
  minutes: readonly Minute[],
): void {
  const highest = Math.max(1, ...minutes.flatMap((minute) => lines.map(([name]) => minute[name] ?? 0)))
  const top = ceiling(highest)
  const last = Math.max(1, minutes.length - 1)
  const x = (minute: number) => MARGIN.left + (minute / last) * (WIDTH - MARGIN.left - MARGIN.right)
  const y = (value: number) => HEIGHT - MARGIN.bottom - (value / top) * (HEIGHT - MARGIN.top - MARGIN.bottom)
  context.font = 'bold 13px sans-serif'
  context.fillStyle = '#111827'
  context.fillText(title, MARGIN.left, 18)
  context.font = '11px sans-serif'
  context.lineWidth = 1
  for (let part = 0; part <= 4; part++) {
    const value = (top * part) / 4
    context.strokeStyle = '#e5e7eb'
    context.beginPath()
    context.moveTo(MARGIN.left, y(value))
    context.lineTo(WIDTH - MARGIN.right, y(value))
    context.stroke()
    context.fillStyle = '#4b5563'
    context.textAlign = 'right'
    context.fillText(value.toLocaleString('en'), MARGIN.left - 6, y(value) + 4)
  }
  for (let part = 0; part <= 4; part++) {
    const minute = Math.round((last * part) / 4)
    context.textAlign = part === 4 ? 'right' : 'center'
    context.fillText(part === 4 ? `${minute} min` : String(minute), x(minute), HEIGHT - 10)
  }
  context.textAlign = 'left'
  let at = MARGIN.left
  for (const [i, [name, label]] of lines.entries()) {
    context.strokeStyle = COLOURS[i] ?? '#111827'
    context.fillStyle = context.strokeStyle
    context.lineWidth = 1.5
    context.beginPath()
    for (const [minute, values] of minutes.entries()) context.lineTo(x(minute), y(values[name] ?? 0))
    context.stroke()
    context.fillText(label, at, 36)
    at += context.measureText(label).width + 14
  }
}

/** The next number that divides into four round parts. */
function ceiling(value: number): number {
  const unit = 10 ** Math.floor(Math.log10(value))
  return ([1, 2, 4, 6, 8, 10].find((n) => n * unit >= value) ?? 10) * unit
}

const [log, png] = process.argv.slice(2)
if (log === undefined || png === undefined) throw new Error('bun bench/soak-picture.ts LOG PNG')
const minutes = readFileSync(log, 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('{"minute"'))
  .map((line) => JSON.parse(line) as Minute)
await Bun.write(png, draw(minutes))
console.log(`${png}: ${minutes.length} minutes`)
