import { CURVES, type CurveMaker, moving, parameters } from './curves.ts'
import type { DeviceSeeds } from './device.ts'
import type { AgentType, AgentTypes, Instance, Live } from './instance.ts'
import { portInstances } from './ports.ts'
import { linux } from './stories/linux.ts'
import { session } from './stories/session.ts'
import type { Story } from './stories/story.ts'
import { ups } from './stories/ups.ts'

/** The instances of an agent by SNMP context; `''` is the default context. */
export type Recorded = ReadonlyMap<string, readonly Instance[]>

/** Tags of a `.snmprec` line: BER tags in decimal; `x`: hex, `e`: with `\r`, `\n` and `\\`. */
const TAGS: Readonly<Record<string, AgentType>> = {
  '2': 'Integer32',
  '4': 'Text',
  '4e': 'Text',
  '4x': 'Octets',
  '6': 'Oid',
  '64': 'IpAddress',
  '65': 'Counter32',
  '66': 'Gauge32',
  '67': 'TimeTicks',
  '70': 'Counter64',
}

const STORIES: Readonly<Record<string, Story>> = { linux, session, ups }

/** How the values of an object are written: as they are, or as the parameters of a curve. */
interface Field {
  readonly type: AgentType
  value(text: string): Live<AgentTypes[AgentType]>
}

/** A column of a table block. */
interface Column extends Field {
  readonly object: string
  /** The same for all rows; null: each row has its own. */
  readonly constant: string | null
}

/**
 * Reads a recording: lines `OID|TAG|VALUE` as `portlight device record` writes them, and in addition, each ended by an empty
 * line if it is a block (docs/how-to/add-a-demo-device.md):
 *
 * - `OID|TAG:CURVE|PARAMETERS`: a value that moves
 * - `table ENTRY|COLUMN/TAG…` and a line `INDEX|VALUE…` for each row
 * - `ports …` and a line for each interface
 * - `story NAME` and its parameters: several values that move together, which are curves of that name from there on
 * - `context NAME`: what follows is in this SNMP context
 *
 * Throws RangeError with the recording's name and the line's number if one cannot be read.
 */
export function readRecording(name: string, text: string, seeds: DeviceSeeds): Recorded {
  const contexts = new Map<string, Instance[]>()
  const curves: Record<string, CurveMaker> = { ...CURVES }
  let instances: Instance[] = []
  contexts.set('', instances)
  const lines = text.split('\n')
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? ''
    if (line === '' || line.startsWith('#')) continue
    const block = (): string[] => {
      const end = lines.indexOf('', at)
      const rows = lines.slice(at + 1, end < 0 ? lines.length : end)
      at += rows.length
      return rows
    }
    const number = at + 1
    try {
      const [, word = '', rest = ''] = /^(table|ports|story|context) ?(.*)$/.exec(line) ?? []
      if (word === 'table') readTable(rest, block(), curves, seeds, instances)
      else if (word === 'ports') for (const instance of portInstances(rest, block(), seeds)) instances.push(instance)
      else if (word === 'story') curves[rest] = storyOf(rest, block(), seeds)
      else if (word === 'context') {
        instances = []
        contexts.set(rest, instances)
      } else instances.push(scalar(line, curves, seeds))
    } catch (error) {
      throw new RangeError(`${name}.snmprec, line ${number}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  return contexts
}

/** `OID|TAG|VALUE`. The last sub-identifier is the instance. */
function scalar(line: string, curves: Readonly<Record<string, CurveMaker>>, seeds: DeviceSeeds): Instance {
  const [oid = '', tag = ''] = line.split('|', 2)
  const { type, value } = field(tag, curves, seeds)
  const at = oid.lastIndexOf('.')
  return {
    object: oid.slice(0, at),
    index: oid.slice(at + 1),
    type,
    value: value(line.slice(oid.length + tag.length + 2)),
  }
}

/**
 * `ENTRY|COLUMN/TAG|COLUMN/TAG=VALUE…` and rows `INDEX|VALUE…`. A column with a value has it in every row; `#` is the
 * index.
 */
function readTable(
  head: string,
  rows: readonly string[],
  curves: Readonly<Record<string, CurveMaker>>,
  seeds: DeviceSeeds,
  into: Instance[],
): void {
  const [entry = '', ...specs] = head.split('|')
  const columns = specs.map((spec): Column => {
    const [, id = '', tag = '', constant = null] = /^(\d+)\/([\w:]+)(?:=(.*))?$/.exec(spec) ?? []
    return { ...field(tag, curves, seeds), object: `${entry}.${id}`, constant }
  })
  const own = columns.filter(({ constant }) => constant === null).length
  for (const row of rows) {
    const cells = row.split('|')
    const index = cells[0] ?? ''
    if (cells.length !== own + 1) throw new RangeError(`row ${index} has ${cells.length - 1} values for ${own} columns`)
    let next = 1
    for (const { object, type, constant, value } of columns) {
      const text = constant === null ? (cells[next++] ?? '') : constant === '#' ? index : constant
      into.push({ object, index, type, value: value(text) })
    }
  }
}

/** A tag with its curve, `2:wave`. */
function field(tag: string, curves: Readonly<Record<string, CurveMaker>>, { own }: DeviceSeeds): Field {
  const [plain = '', curve] = tag.split(':')
  const type = TAGS[plain]
  if (type === undefined) throw new RangeError(`no tag ${plain}`)
  if (curve === undefined) return { type, value: (text) => plainValue(plain, type, text) }
  const make = curves[curve]
  if (make === undefined) throw new RangeError(`no curve ${curve}; there are ${Object.keys(curves).join(', ')}`)
  return { type, value: (text) => moving(make, parameters(text), type, own) }
}

const ESCAPES: Readonly<Record<string, string>> = { '\\r': '\r', '\\n': '\n', '\\\\': '\\' }

function plainValue(tag: string, type: AgentType, text: string): AgentTypes[AgentType] {
  if (tag === '4e') return text.replaceAll(/\\[rn\\]/g, (escaped) => ESCAPES[escaped] ?? escaped)
  switch (type) {
    case 'Text':
    case 'Oid':
    case 'IpAddress':
      return text
    case 'Octets':
      return Uint8Array.fromHex(text)
    case 'Counter32':
    case 'Counter64':
      return BigInt(text)
    default: {
      const number = Number(text)
      if (!Number.isInteger(number)) throw new RangeError(`not a whole number: ${text}`)
      return number
    }
  }
}

function storyOf(name: string, lines: readonly string[], { own }: DeviceSeeds): CurveMaker {
  const story = STORIES[name]
  if (story === undefined) throw new RangeError(`no story ${name}; there are ${Object.keys(STORIES).join(', ')}`)
  const motion = story(
    lines.map((line) => line.split('|')),
    own,
  )
  return ({ label }) => {
    const found = motion(label)
    if (found === undefined) throw new RangeError(`story ${name} has no ${label}`)
    return found
  }
}
