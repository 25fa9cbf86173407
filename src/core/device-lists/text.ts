import { csvRows } from '../../lib/csv.ts'
import { invalid } from '../base/errors.ts'
import { authLevel, isSnmpVersion } from '../devices/credentials.ts'
import { isHostname } from '../devices/hostname.ts'
import type { NewDevice } from '../devices/new-device.ts'
import { TRANSPORTS } from '../devices/new-device.ts'

/** Columns of a table whose values are used as they are. */
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
/** Columns of a table of devices. Only `hostname` is required. */
export const LIST_COLUMNS: readonly string[] = ['hostname', 'port', 'groups', ...TEXTS]

/** A device of a list. */
export interface ListedDevice {
  /** Number of its first line, from 1. */
  readonly line: number
  /** What the line says about the device. */
  readonly given: NewDevice
  /** Names of static device groups that it is to be in. */
  readonly groups: readonly string[]
}

/** A line of a list that cannot be used. Contains no credentials. */
export interface ListFault {
  readonly line: number
  /** What the line has in place of a name or address; '' if nothing. */
  readonly host: string
  readonly text: string
}

/** What a list says, in order of its lines. */
export interface DeviceList {
  readonly devices: readonly ListedDevice[]
  readonly faults: readonly ListFault[]
}

/** Reads a list: a table if its first line names a column `hostname`, otherwise hosts. Throws `invalid`. */
export function readDeviceList(text: string): DeviceList {
  const [first = ''] = text.replace(/^\uFEFF/, '').split('\n', 1)
  const cells = first.split(',').map((cell) => columnName(cell.trim().replace(/^"(.*)"$/, '$1')))
  return cells.includes('hostname') ? readDeviceTable(text) : readHosts(text)
}

/** The names and addresses of a list, one a line; `#` begins a comment. */
export function readHosts(text: string): DeviceList {
  const devices: ListedDevice[] = []
  const faults: ListFault[] = []
  for (const [i, words] of text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .entries()) {
    const host = words.replace(/#.*$/, '').trim()
    if (host === '') continue
    // what follows a comma may be a community
    const [name = '', ...more] = host.split(/[,;\t]/)
    if (more.length > 0)
      faults.push({
        line: i + 1,
        host: name,
        text: 'More than a name or address, but the first line does not name the columns: begin with a line such as hostname,community, separated by commas',
      })
    else take({ line: i + 1, given: { hostname: host }, groups: [] }, devices, faults)
  }
  return { devices, faults }
}

/** The devices of a comma-separated table whose first line names the columns. Throws `invalid`. */
export function readDeviceTable(text: string): DeviceList {
  const read = csvRows(text)
  if ('fault' in read) throw invalid(`line ${read.line}: ${read.fault}`)
  const [heading, ...rows] = read
  const names = (heading?.cells ?? []).map(columnName)
  if (!names.includes('hostname')) throw invalid('The first line has no column hostname')
  const unknown = names.filter((name) => !LIST_COLUMNS.includes(name))
  if (unknown.length > 0)
    throw invalid(`Unknown columns: ${unknown.join(', ')}; known columns: ${LIST_COLUMNS.join(', ')}`)
  const devices: ListedDevice[] = []
  const faults: ListFault[] = []
  for (const { line, cells } of rows) {
    const given = new Map(
      names.map((name, i) => [name, cells[i] ?? '']).filter(([, value]) => value !== '') as [string, string][],
    )
    const host = given.get('hostname') ?? ''
    if (cells.length > names.length)
      faults.push({ line, host, text: `${cells.length} cells, but the first line names ${names.length} columns` })
    else take({ line, given: requestOf(given), groups: groupsOf(given.get('groups')) }, devices, faults)
  }
  return { devices, faults }
}

const columnName = (text: string): string => text.trim().toLowerCase()

function groupsOf(text = ''): readonly string[] {
  const names = text.split(';').map((name) => name.trim())
  return [...new Set(names)].filter((name) => name !== '')
}

function requestOf(given: ReadonlyMap<string, string>): NewDevice {
  const port = given.get('port')
  const own: Record<string, string | undefined> = {}
  for (const name of TEXTS) if (given.has(name)) own[name] = given.get(name)
  return { ...own, hostname: given.get('hostname') ?? '', ...(port !== undefined && { port: Number(port) }) }
}

function take(listed: ListedDevice, devices: ListedDevice[], faults: ListFault[]): void {
  const text = faultOf(listed.given)
  if (text === null) devices.push(listed)
  else faults.push({ line: listed.line, host: listed.given.hostname, text })
}

/** Why a device cannot be added as its line says; null: it can be tried. */
function faultOf({ hostname, port, snmpver, transport, authlevel }: NewDevice): string | null {
  if (hostname === '') return 'Missing the device hostname'
  if (!isHostname(hostname)) return `Invalid hostname or IP: ${hostname}`
  if (port !== undefined && !(Number.isInteger(port) && port >= 1 && port <= 65_535))
    return 'Invalid port: enter a UDP port from 1 to 65535'
  if (snmpver !== undefined && !isSnmpVersion(snmpver))
    return `Unsupported SNMP Version "${snmpver}", must be v1, v2c, or v3`
  if (transport !== undefined && !TRANSPORTS.some((known) => known === transport.toLowerCase()))
    return `Unknown transport "${transport}", must be udp or udp6`
  if (authlevel !== undefined && authLevel(authlevel) === null)
    return `Unknown security level "${authlevel}", must be noAuthNoPriv, authNoPriv or authPriv`
  return null
}
