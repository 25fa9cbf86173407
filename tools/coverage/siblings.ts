import type { SnmpValue } from '@portlight/snmp/value.ts'
import type { RecordedDevice } from './recordings.ts'

/** A column or single object that recordings fill and that no module reads from those devices. */
export interface Unread {
  /** OID of the column, or of the object without its instance. */
  readonly oid: string
  /** `MIB::object`. */
  readonly name: string
  /** Names of the recordings that hold it. */
  readonly devices: readonly string[]
  /** Number of instances in all recordings. */
  readonly instances: number
  /** On one of these devices, a module reads another column of the table, or another object of the group. */
  readonly hasReadSibling: boolean
  /** Some different values. */
  readonly examples: readonly string[]
}

/** Names (`MIB::object`) of columns and single objects by OID. */
export type ObjectNames = ReadonlyMap<string, string>

const VENDORS = '1.3.6.1.4.1.'
const EXAMPLES = 6
const EXAMPLE_CHARACTERS = 40

/** Collects what is unread, over many devices. */
export class Siblings {
  private readonly found = new Map<
    string,
    { devices: Set<string>; instances: number; hasReadSibling: boolean; values: Set<string> }
  >()

  /** An object that is in none of the MIB modules is not counted. */
  constructor(private readonly names: ObjectNames) {}

  /** `asked`: OIDs of the columns and single objects that a discovery asked the device for. */
  add({ name, values }: RecordedDevice, asked: ReadonlySet<string>): void {
    // a scalar is asked for by its instance
    const read = new Set([...asked].map((oid) => parentOf(oid.endsWith('.0') ? parentOf(oid) : oid)))
    for (const [oid, value] of values) {
      if (!oid.startsWith(VENDORS) || !isMeasured(value)) continue
      const object = objectOf(oid, this.names)
      if (object === null || asked.has(object) || asked.has(oid)) continue
      const known = this.found.get(object) ?? {
        devices: new Set(),
        instances: 0,
        hasReadSibling: false,
        values: new Set(),
      }
      this.found.set(object, known)
      known.devices.add(name)
      known.instances++
      known.hasReadSibling ||= read.has(parentOf(object))
      if (known.values.size < EXAMPLES) known.values.add(textOf(value))
    }
  }

  /** Those of tables and groups that are read in part first, then those that most devices hold. */
  list(): readonly Unread[] {
    return [...this.found]
      .map(([oid, { devices, instances, hasReadSibling, values }]) => ({
        oid,
        name: this.names.get(oid) ?? oid,
        devices: [...devices].sort(),
        instances,
        hasReadSibling,
        examples: [...values],
      }))
      .sort(
        (a, b) =>
          Number(b.hasReadSibling) - Number(a.hasReadSibling) ||
          b.devices.length - a.devices.length ||
          b.instances - a.instances ||
          (a.oid < b.oid ? -1 : 1),
      )
  }
}

const parentOf = (oid: string): string => oid.slice(0, oid.lastIndexOf('.'))

/** The longest known object above an instance; null: none. */
function objectOf(oid: string, names: ObjectNames): string | null {
  for (let end = oid.lastIndexOf('.'); end > VENDORS.length; end = oid.lastIndexOf('.', end - 1)) {
    const prefix = oid.slice(0, end)
    if (names.has(prefix)) return prefix
  }
  return null
}

/** Numbers, and texts that begin with one. Counters and times are not what sensors show. */
function isMeasured(value: SnmpValue): boolean {
  if (value.kind === 'Integer32' || value.kind === 'Gauge32') return true
  return (
    value.kind === 'OctetString' &&
    value.value.length <= EXAMPLE_CHARACTERS &&
    /^\s*[-+]?\d+(\.\d+)?/.test(textOf(value))
  )
}

function textOf(value: SnmpValue): string {
  if (value.kind === 'OctetString') return new TextDecoder().decode(value.value).slice(0, EXAMPLE_CHARACTERS)
  return 'value' in value ? String(value.value) : ''
}
