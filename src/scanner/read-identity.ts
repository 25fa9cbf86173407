import { isIP } from 'node:net'
import { formatIpv6, isIpv6LinkLocal, parseIpv4, parseIpv6 } from '@portlight/addresses/ip.ts'
import { octetText, readAs } from '@portlight/snmp/table.ts'
import type { SnmpValue } from '@portlight/snmp/value.ts'
import type { HostIdentity } from '../core/candidates/observed-host.ts'
import { DEFINITIONS } from '../definitions/catalogue.ts'
import { detectionObjects, detectOs } from '../definitions/detect.ts'
import { identify, identityScalars } from '../definitions/identity.ts'
import { decodeIndex } from '../lib/index-decode.ts'
import type { BoundedReader, ReadLimits } from './bounded-reader.ts'

/** Limits on what is read from one agent. */
export const READ_LIMITS: ReadLimits = { requests: 60, octets: 262_144, ms: 30_000 }
const MAX_ENTITIES = 300
const MAX_CHASSIS = 16
const MAX_MACS = 512
const MAX_ADDRESSES = 512
/** Characters kept of a name, and of sysDescr. */
const MAX_NAME = 255
const MAX_DESCR = 1024

const SYS_DESCR = '1.3.6.1.2.1.1.1.0'
const SYS_OBJECT_ID = '1.3.6.1.2.1.1.2.0'
const SYS_NAME = '1.3.6.1.2.1.1.5.0'
/** What a request to try credentials asks for: objects that every agent has. */
export const PROBE_OIDS = [SYS_DESCR, SYS_OBJECT_ID, SYS_NAME]

const ENGINE_ID = '1.3.6.1.6.3.10.2.1.1.0'
const IF_NUMBER = '1.3.6.1.2.1.2.1.0'
const BRIDGE_ADDRESS = '1.3.6.1.2.1.17.1.1.0'
const LLDP_CHASSIS_SUBTYPE = '1.0.8802.1.1.2.1.3.1.0'
const LLDP_CHASSIS_ID = '1.0.8802.1.1.2.1.3.2.0'
const IF_PHYS_ADDRESS = '1.3.6.1.2.1.2.2.1.6'
const IP_ADDRESS_IF_INDEX = '1.3.6.1.2.1.4.34.1.3'
const IP_AD_ENT_ADDR = '1.3.6.1.2.1.4.20.1.1'
const ENT_CLASS = '1.3.6.1.2.1.47.1.1.1.1.5'
const ENT_SERIAL = '1.3.6.1.2.1.47.1.1.1.1.11'
const ENT_MODEL = '1.3.6.1.2.1.47.1.1.1.1.13'
const CHASSIS = 3
/** macAddress of LldpChassisIdSubtype. */
const MAC_SUBTYPE = 4

type Values = ReadonlyMap<string, SnmpValue>

/** Reads what identifies an agent. `probed`: the values of PROBE_OIDS. Never throws for what the agent sends. */
export async function readIdentity(
  reader: BoundedReader,
  probed: Values,
  engineId: string | null,
): Promise<HostIdentity> {
  const sysDescr = textOf(probed.get(SYS_DESCR), MAX_DESCR)
  const id = probed.get(SYS_OBJECT_ID)
  const sysObjectID = id?.kind === 'ObjectIdentifier' ? id.value.replace(/^\./, '').slice(0, MAX_NAME) : null
  const doubts = detectionObjects(DEFINITIONS.detectable(), { sysObjectID, sysDescr }).slice(0, 16)
  const values = await reader.get([
    ...[ENGINE_ID, IF_NUMBER, BRIDGE_ADDRESS, LLDP_CHASSIS_SUBTYPE, LLDP_CHASSIS_ID],
    ...doubts,
  ])
  const { os } = detectOs(DEFINITIONS.detectable(), { sysObjectID, sysDescr, objects: textsOf(values, doubts) })
  const chassis = await readChassis(reader)
  const hardware = await readHardware(reader, { os, sysObjectID, sysDescr }, chassis)
  const macs = await reader.walk(IF_PHYS_ADDRESS, MAX_MACS)
  return {
    sysName: textOf(probed.get(SYS_NAME), MAX_NAME),
    sysDescr,
    sysObjectId: sysObjectID,
    engineId: engineIdOf(values.get(ENGINE_ID)) ?? engineId,
    serials: chassis.serials,
    baseMac: macOf(values.get(BRIDGE_ADDRESS)) ?? lldpMac(values),
    macs: [...new Set([...macs.values()].map(macOf).filter((mac) => mac !== null))],
    addresses: await readAddresses(reader),
    os,
    hardware,
    ports: countOf(values.get(IF_NUMBER)),
  }
}

interface Chassis {
  readonly serials: readonly string[]
  readonly serial: string | null
  readonly model: string | null
}

async function readChassis(reader: BoundedReader): Promise<Chassis> {
  const classes = await reader.walk(ENT_CLASS, MAX_ENTITIES)
  const indexes = [...classes]
    .flatMap(([index, value]) => (value.kind === 'Integer32' && value.value === CHASSIS ? [index] : []))
    .slice(0, MAX_CHASSIS)
  if (indexes.length === 0) return { serials: [], serial: null, model: null }
  const values = await reader.get(indexes.flatMap((index) => [`${ENT_SERIAL}.${index}`, `${ENT_MODEL}.${index}`]))
  const texts = (column: string): string[] =>
    indexes.map((index) => textOf(values.get(`${column}.${index}`), MAX_NAME)).filter((text) => text !== null)
  const serials = [...new Set(texts(ENT_SERIAL).filter((serial) => !NO_SERIAL.test(serial)))]
  return { serials, serial: serials[0] ?? null, model: texts(ENT_MODEL)[0] ?? null }
}

/** What agents without a serial number send instead. */
const NO_SERIAL = /^(?:0+|x+|n\/?a|none|unknown|not (?:available|specified)|to be filled.*|default string|-+|\.+)$/i

async function readHardware(
  reader: BoundedReader,
  { os, sysObjectID, sysDescr }: { os: string; sysObjectID: string | null; sysDescr: string | null },
  { serial, model }: Chassis,
): Promise<string | null> {
  const definition = DEFINITIONS.definitionOf(os)
  if (definition === undefined) return model
  const oids = identityScalars(definition).slice(0, 16)
  const values = oids.length === 0 ? new Map<string, SnmpValue>() : await reader.get(oids)
  const chassis = {
    ...(serial !== null && { entPhysicalSerialNum: serial }),
    ...(model !== null && { entPhysicalModelName: model }),
  }
  const { hardware } = identify(definition, { sysObjectID, sysDescr, scalars: textsOf(values, oids), chassis })
  return (hardware ?? model)?.slice(0, MAX_NAME) ?? null
}

/** Addresses of the interfaces: ipAddressTable, else ipAddrTable, which has only those of IPv4. */
async function readAddresses(reader: BoundedReader): Promise<string[]> {
  const both = await reader.walk(IP_ADDRESS_IF_INDEX, MAX_ADDRESSES)
  const found = [...both.keys()].map((index) => {
    const address = decodeIndex(index, ['inetAddress'])?.[0]
    if (address?.type === 'ipv4') return address.octets.join('.')
    return address?.type === 'ipv6' ? formatIpv6(address.octets) : null
  })
  const hasIpv4 = found.some((address) => address !== null && isIP(address) === 4)
  const older = hasIpv4 ? [] : [...(await reader.walk(IP_AD_ENT_ADDR, MAX_ADDRESSES)).keys()]
  const all = [...found, ...older].filter((address) => address !== null)
  return [...new Set(all.filter(isOwnAddress))].slice(0, MAX_ADDRESSES)
}

/** False for loopback, link-local, multicast and unspecified addresses, which say nothing about the device. */
function isOwnAddress(text: string): boolean {
  const v4 = parseIpv4(text)
  if (v4 !== null) {
    const first = v4 >>> 24
    return first !== 0 && first !== 127 && first < 224 && v4 >>> 16 !== 0xa9fe
  }
  const v6 = parseIpv6(text)
  if (v6 === null || v6[0] === 0xff || isIpv6LinkLocal(v6)) return false
  return v6.subarray(0, 15).some((octet) => octet !== 0)
}

function lldpMac(values: Values): string | null {
  const subtype = values.get(LLDP_CHASSIS_SUBTYPE)
  if (subtype?.kind !== 'Integer32' || subtype.value !== MAC_SUBTYPE) return null
  return macOf(values.get(LLDP_CHASSIS_ID))
}

/** 12 hex digits; null for what is not the address of one interface: zeros, broadcast and group addresses. */
function macOf(value: SnmpValue | undefined): string | null {
  if (value === undefined) return null
  const mac = readAs(value, 'PhysAddress')
  if (typeof mac !== 'string' || !/^[0-9a-f]{12}$/.test(mac) || /^0+$/.test(mac)) return null
  return (Number.parseInt(mac.slice(0, 2), 16) & 1) === 1 ? null : mac
}

function engineIdOf(value: SnmpValue | undefined): string | null {
  if (value?.kind !== 'OctetString') return null
  const { length } = value.value
  return length < 5 || length > 32 ? null : value.value.toHex()
}

function countOf(value: SnmpValue | undefined): number | null {
  return value?.kind === 'Integer32' && value.value >= 0 ? value.value : null
}

function textOf(value: SnmpValue | undefined, most: number): string | null {
  if (value?.kind !== 'OctetString') return null
  const text = octetText(value.value).slice(0, most)
  return text === '' ? null : text
}

function textsOf(values: Values, oids: readonly string[]): Map<string, string> {
  const texts = new Map<string, string>()
  for (const oid of oids) {
    const value = values.get(oid)
    if (value === undefined) continue
    if (value.kind === 'OctetString') texts.set(oid, octetText(value.value).slice(0, MAX_DESCR))
    else if (value.kind === 'ObjectIdentifier') texts.set(oid, value.value)
    else if ('value' in value && (typeof value.value === 'number' || typeof value.value === 'string'))
      texts.set(oid, String(value.value))
  }
  return texts
}
