import { SYSTEM } from '../core/base/actor.ts'
import { DomainError } from '../core/base/errors.ts'
import type { NewDevice } from '../core/devices/add.ts'
import type { Services } from '../core/services.ts'
import { CliError } from './errors.ts'
import { inCommandStyle } from './message-style.ts'
import { say } from './output.ts'

const MAX_OCTETS = 16_777_216
/** Columns whose values are used as they are. */
const TEXTS = [
  'snmpver',
  'community',
  'authlevel',
  'authname',
  'authpass',
  'authalgo',
  'cryptopass',
  'cryptoalgo',
  'transport',
  'location',
] as const
const COLUMNS = new Set<string>(['hostname', 'port', 'groups', ...TEXTS])

/** How many devices were added, existed already, and could not be added. */
export interface CsvReport {
  readonly added: number
  readonly present: number
  readonly failed: number
}

/** A row of a table, with the number of its first line, from 1. */
export interface CsvRow {
  readonly line: number
  readonly cells: readonly string[]
}

/** Rows of comma-separated text (RFC 4180): quotes around cells, doubled quotes within. Throws CliError. */
export function csvRows(text: string): readonly CsvRow[] {
  const rows: CsvRow[] = []
  let row: string[] = []
  let cell = ''
  let quoted = false
  let line = 1
  let rowLine = 1
  let quoteLine = 1
  for (let i = 0; i < text.length; i++) {
    const char = text[i] as string
    if (char === '\n') line++
    if (quoted) {
      if (char !== '"') cell += char
      else if (text[i + 1] === '"') {
        cell += '"'
        i++
      } else quoted = false
    } else if (char === '"' && cell === '') {
      quoted = true
      quoteLine = line
    } else if (char === ',' || char === '\n') {
      row.push(cell.trim())
      cell = ''
      if (char === '\n') {
        rows.push({ line: rowLine, cells: row })
        row = []
        rowLine = line
      }
    } else if (char !== '\r') cell += char
  }
  if (quoted) throw new CliError(`line ${quoteLine}: an opening quote without a closing one`)
  if (cell !== '' || row.length > 0) rows.push({ line: rowLine, cells: [...row, cell.trim()] })
  return rows.filter(({ cells }) => cells.some((one) => one !== ''))
}

/** Adds the devices of a table with a heading line. Missing groups (separated by `;`) are created. */
export async function importCsv(services: Services, text: string, force: boolean): Promise<CsvReport> {
  if (text.length > MAX_OCTETS) throw new CliError('the file is larger than 16 MiB')
  const [heading, ...rows] = csvRows(text.replace(/^\uFEFF/, ''))
  const names = (heading?.cells ?? []).map((name) => name.toLowerCase())
  const unknown = names.filter((name) => !COLUMNS.has(name))
  if (!names.includes('hostname')) throw new CliError('the first line has no column hostname')
  if (unknown.length > 0)
    throw new CliError(`unknown columns: ${unknown.join(', ')}; known columns: ${[...COLUMNS].join(', ')}`)
  const report = { added: 0, present: 0, failed: 0 }
  const members = new Map<string, number[]>()
  for (const { line, cells } of rows) {
    if (cells.length > names.length) {
      report.failed++
      say(`line ${line}: ${cells.length} cells, but the first line names ${names.length} columns`)
      continue
    }
    const given = new Map(
      names.map((name, i) => [name, cells[i] ?? '']).filter(([, value]) => value !== '') as [string, string][],
    )
    const hostname = given.get('hostname') ?? ''
    try {
      const { device_id } = await services.devices.add(SYSTEM, requestOf(given, force))
      report.added++
      for (const group of (given.get('groups') ?? '').split(';').map((name) => name.trim()))
        if (group !== '') members.set(group, [...(members.get(group) ?? []), device_id])
    } catch (error) {
      if (!(error instanceof DomainError)) throw error
      if (error.code === 'conflict') report.present++
      else report.failed++
      say(`line ${line}: ${hostname}: ${inCommandStyle(error.message)}`)
    }
  }
  for (const [name, ids] of members) await join(services, name, ids)
  return report
}

function requestOf(given: ReadonlyMap<string, string>, force: boolean): NewDevice {
  const port = given.get('port')
  const own: Record<string, string | undefined> = {}
  for (const name of TEXTS) own[name] = given.get(name)
  return { ...own, hostname: given.get('hostname') ?? '', force, ...(port !== undefined && { port: Number(port) }) }
}

/** Adds devices to a static group, which is created if it does not exist. */
async function join(services: Services, name: string, ids: readonly number[]): Promise<void> {
  const group = await services.deviceGroups.find(SYSTEM, name)
  if (group === null) {
    await services.deviceGroups.create(SYSTEM, { name, type: 'static', devices: [...ids] })
    return
  }
  const before = await services.deviceGroups.members(SYSTEM, group)
  await services.deviceGroups.update(SYSTEM, String(group.id), { devices: [...new Set([...before, ...ids])] })
}
