import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import type { SnmpValue } from '../../src/value.ts'

/** Two independent codecs to check ours against: they decode our octets, and we decode theirs. */

const require = createRequire(import.meta.url)

/** A varbind of npm net-snmp. */
export interface NetSnmpVarbind {
  readonly oid: string
  readonly type: number
  readonly value: unknown
}

interface NetSnmpMessage {
  readonly version: number
  readonly community: string
  readonly pdu: {
    readonly type: number
    readonly id: number
    readonly errorStatus: number
    readonly varbinds: readonly NetSnmpVarbind[]
  }
  toBuffer(): Buffer
}

interface NetSnmpParts {
  readonly Message: {
    createFromBuffer(buffer: Buffer): NetSnmpMessage
    createCommunity(version: number, community: string, pdu: unknown): NetSnmpMessage
  }
  readonly GetRequestPdu: {
    createFromVariables(id: number, varbinds: readonly { oid: string }[], options: object): unknown
  }
  readonly GetResponsePdu: {
    createFromVariables(id: number, varbinds: readonly NetSnmpVarbind[], options: object): unknown
  }
}

/** Runs the file of npm net-snmp with its message classes exported, which they normally are not. */
function loadNetSnmp(): NetSnmpParts {
  const path = require.resolve('net-snmp')
  const module: { exports: unknown } = { exports: {} }
  const names = '{ Message: Message, GetRequestPdu: GetRequestPdu, GetResponsePdu: GetResponsePdu }'
  const source = `${readFileSync(path, 'utf8')}\n;module.exports = ${names};`
  const run = new Function('require', 'module', 'exports', '__dirname', source)
  run(createRequire(path), module, module.exports, dirname(path))
  return module.exports as NetSnmpParts
}

interface SnmpNativePacket {
  version: number
  community: string
  pdu: {
    type: number
    reqid: number
    error: number
    errorIndex: number
    varbinds: { oid: number[]; type: number; value: unknown; valueHex?: string }[]
  }
}

interface SnmpNative {
  parse(buffer: Buffer): SnmpNativePacket
  encode(packet: SnmpNativePacket): Buffer
  readonly Packet: new () => SnmpNativePacket
}

export const netSnmp = loadNetSnmp()
export const snmpNative = require('snmp-native') as SnmpNative

/** A value of npm net-snmp as one of ours. */
export function fromNetSnmp({ type, value }: NetSnmpVarbind): SnmpValue {
  switch (type) {
    case 0x02:
      return { kind: 'Integer32', value: Number(value) }
    case 0x04:
      return { kind: 'OctetString', value: new Uint8Array(value as Buffer) }
    case 0x05:
      return { kind: 'Null' }
    case 0x06:
      return { kind: 'ObjectIdentifier', value: String(value) }
    case 0x40:
      return { kind: 'IpAddress', value: String(value) }
    case 0x41:
      return { kind: 'Counter32', value: Number(value) }
    case 0x42:
      return { kind: 'Gauge32', value: Number(value) }
    case 0x43:
      return { kind: 'TimeTicks', value: Number(value) }
    case 0x44:
      return { kind: 'Opaque', value: new Uint8Array(value as Buffer) }
    case 0x46:
      return { kind: 'Counter64', value: BigInt(`0x0${(value as Buffer).toString('hex')}`) }
    case 0x80:
      return { kind: 'noSuchObject' }
    case 0x81:
      return { kind: 'noSuchInstance' }
    case 0x82:
      return { kind: 'endOfMibView' }
    default:
      throw new Error(`net-snmp type ${type}`)
  }
}
