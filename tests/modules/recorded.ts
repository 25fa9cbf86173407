import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SnmpValue } from '@portlight/snmp/value.ts'

/** One line of a recording, `OID|TAG|VALUE`; null if it has no value. */
function parse(line: string): readonly [string, SnmpValue] | null {
  const match = /^([\d.]+)\|(\d+)(x?)\|(.*)$/s.exec(line.replace(/\r$/, ''))
  if (match === null) return null
  const [, oid = '', tag, hex, value = ''] = match
  if (hex === 'x' && !/^([\da-f]{2})*$/i.test(value)) return null
  const bytes = hex === 'x' ? Uint8Array.fromHex(value) : new TextEncoder().encode(value)
  const number = Number(value)
  const numeric = (kind: 'Integer32' | 'Counter32' | 'Gauge32' | 'TimeTicks') =>
    Number.isFinite(number) ? ([oid, { kind, value: number }] as const) : null
  switch (tag) {
    case '2':
      return numeric('Integer32')
    case '4':
      return [oid, { kind: 'OctetString', value: bytes }]
    case '6':
      return [oid, { kind: 'ObjectIdentifier', value: value.replace(/^\./, '') }]
    case '64':
      return [oid, { kind: 'IpAddress', value: hex === 'x' ? bytes.join('.') : value }]
    case '65':
      return numeric('Counter32')
    case '66':
      return numeric('Gauge32')
    case '67':
      return numeric('TimeTicks')
    case '70':
      return /^\d+$/.test(value) ? [oid, { kind: 'Counter64', value: BigInt(value) }] : null
    default:
      return null
  }
}

/** The values of a recording, by OID; of equal OIDs the first. */
export function load(folder: string, name: string): ReadonlyMap<string, SnmpValue> {
  const values = new Map<string, SnmpValue>()
  for (const line of readFileSync(join(folder, `${name}.snmprec`), 'utf8').split('\n')) {
    const parsed = parse(line)
    if (parsed !== null && !values.has(parsed[0])) values.set(parsed[0], parsed[1])
  }
  return values
}
