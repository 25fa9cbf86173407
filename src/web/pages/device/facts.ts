import type { GraphDevice } from '../../components/graph-specs.ts'
import { plain } from '../../components/values.tsx'
import type { Subject } from './tab.ts'

const text = (value: unknown): string => (typeof value === 'string' ? plain(value) : '')

/** Name of a device for headings. */
export function nameOf({ record }: Subject): string {
  return text(record['display']) || text(record['hostname'])
}

/** A time in a record, given in epoch seconds; null: never. */
export const instantOf = (value: unknown): Date | null => (typeof value === 'number' ? new Date(value * 1000) : null)

/** The device as charts refer to it. */
export const graphDevice = ({ deviceId, record }: Subject): GraphDevice => ({
  deviceId,
  hostname: String(record['hostname'] ?? deviceId),
})
