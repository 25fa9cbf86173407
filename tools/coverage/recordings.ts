import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { compareIds } from '@portlight/snmp/table.ts'
import type { SnmpValue } from '@portlight/snmp/value.ts'
import { CliError } from '../../src/cli/errors.ts'

/** What a device answered, as recorded. */
export interface RecordedDevice {
  readonly name: string
  /** By OID with instance, in the order of their OIDs. */
  readonly values: Values
  /** Of the other SNMP contexts. */
  readonly contexts: ReadonlyMap<string, Values>
}

export type Values = ReadonlyMap<string, SnmpValue>

const ENDING = '.snmprec'

/**
 * Names of the devices in a folder of recordings; `NAME@CONTEXT.snmprec` belongs to `NAME`. Throws CliError if there is
 * none.
 */
export function recordedNames(folder: string): readonly string[] {
  const names = filesIn(folder)
    .filter((file) => file.endsWith(ENDING) && !file.includes('@'))
    .map((file) => basename(file, ENDING))
    .sort()
  if (names.length === 0) throw new CliError(`${folder} has no recordings (NAME${ENDING})`)
  return names
}

function filesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    throw new CliError(`cannot read the folder ${folder}: ${error instanceof Error ? error.message : String(error)}`)
  }
}

export function readRecorded(folder: string, name: string): RecordedDevice {
  const contexts = readdirSync(folder).filter((file) => file.startsWith(`${name}@`) && file.endsWith(ENDING))
  const read = (file: string) => recordedValues(readFileSync(join(folder, file), 'utf8'))
  return {
    name,
    values: read(`${name}${ENDING}`),
    contexts: new Map(contexts.map((file) => [basename(file, ENDING).slice(name.length + 1), read(file)])),
  }
}

/**
 * The values of a `.snmprec` file, in the order of their OIDs. Of two lines with the same OID the first counts; lines
 * without a value are left out.
 */
export function recordedValues(text: string): Values {
  const values = new Map<string, SnmpValue>()
  for (const line of text.split('\n')) {
    const parsed = parse(line)
    if (parsed !== null && !values.has(parsed[0])) values.set(parsed[0], parsed[1])
  }
  const keys = new Map([...values.keys()].map((oid) => [oid, oid.split('.').map(Number)]))
  return new Map([...values].sort(([a], [b]) => compareIds(keys.get(a) ?? [], keys.get(b) ?? [])))
}

const NUMBERS = { '2': 'Integer32', '65': 'Counter32', '66': 'Gauge32', '67': 'TimeTicks' } as const

/** One line, `OID|TAG|VALUE`; null if it has no value. */
function parse(line: string): readonly [oid: string, SnmpValue] | null {
  const [, oid = '', tag = '', hex, value = ''] = /^([\d.]+)\|(\d+)(x?)\|(.*)$/s.exec(line.replace(/\r$/, '')) ?? []
  if (hex === 'x' && !/^([\da-f]{2})*$/i.test(value)) return null
  const bytes = hex === 'x' ? Uint8Array.fromHex(value) : new TextEncoder().encode(value)
  if (tag === '4') return [oid, { kind: 'OctetString', value: bytes }]
  if (tag === '6') return [oid, { kind: 'ObjectIdentifier', value: value.replace(/^\./, '') }]
  if (tag === '64') return [oid, { kind: 'IpAddress', value: hex === 'x' ? bytes.join('.') : value }]
  if (tag === '70') return /^\d+$/.test(value) ? [oid, { kind: 'Counter64', value: BigInt(value) }] : null
  const kind = NUMBERS[tag as keyof typeof NUMBERS]
  const number = Number(value)
  return kind === undefined || value === '' || !Number.isFinite(number) ? null : [oid, { kind, value: number }]
}
