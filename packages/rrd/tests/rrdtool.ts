import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'

export const RRDTOOL = Bun.which('rrdtool')

/** The archives that an installation has by default, for a step of 300 s. */
export const DEFAULT_ARCHIVES = [
  ...['AVERAGE', 'MIN', 'MAX'].flatMap((cf) => [
    `RRA:${cf}:0.5:1:2016`,
    `RRA:${cf}:0.5:6:1440`,
    `RRA:${cf}:0.5:24:1440`,
    `RRA:${cf}:0.5:288:1440`,
  ]),
  'RRA:LAST:0.5:1:2016',
]

/** Runs rrdtool; throws with its message. */
export function rrdtool(...args: readonly string[]): string {
  const run = Bun.spawnSync([RRDTOOL ?? 'rrdtool', ...args], { env: { ...process.env, LC_ALL: 'C', TZ: 'UTC' } })
  if (!run.success) throw new Error(`rrdtool ${args[0]}: ${run.stderr.toString()}`)
  return run.stdout.toString()
}

export interface NewFile {
  readonly path: string
  readonly startS: number
  readonly stepS?: number
  /** In rrdtool's syntax: `DS:name:GAUGE:600:U:U`. */
  readonly dataSets: readonly string[]
  readonly archives?: readonly string[]
}

export function createRrd({ path, startS, stepS = 300, dataSets, archives = DEFAULT_ARCHIVES }: NewFile): void {
  mkdirSync(dirname(path), { recursive: true })
  rrdtool('create', path, '--step', String(stepS), '--start', String(startS), ...dataSets, ...archives)
}

/** Updates `time:value:...`, many per call. */
export function updateRrd(path: string, updates: readonly string[]): void {
  for (let i = 0; i < updates.length; i += 1000) rrdtool('update', path, ...updates.slice(i, i + 1000))
}

/** The output of `rrdtool fetch`: end of each row and its values. */
export function fetchRrd(
  path: string,
  cf: string,
  widthS: number,
  fromS: number,
  toS: number,
): { atS: number; values: number[] }[] {
  const text = rrdtool('fetch', path, cf, '-r', String(widthS), '-s', String(fromS), '-e', String(toS))
  return text.split('\n').flatMap((line) => {
    const [, at, values] = /^(\d+): (.*)$/.exec(line.trim()) ?? []
    if (at === undefined || values === undefined) return []
    return [{ atS: Number(at), values: values.split(' ').map((v) => (/nan/i.test(v) ? Number.NaN : Number(v))) }]
  })
}
