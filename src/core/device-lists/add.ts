import { toDomainError } from '../base/errors.ts'
import type { DeviceList, ListedDevice } from './text.ts'

/** What became of a line of a list. */
export interface ListedResult {
  readonly line: number
  readonly host: string
  /** `present`: the device, its address or its sysName is monitored already. */
  readonly outcome: 'added' | 'present' | 'failed'
  /** null: not added. */
  readonly deviceId: number | null
  /** The monitored device that it is; null: none, or the actor may not see it. */
  readonly known: number | null
  /** Why it was not added, without credentials; '' if it was. */
  readonly text: string
}

/** How many devices of a list were added, were there already, and could not be added. */
export interface ListReport {
  readonly added: number
  readonly present: number
  readonly failed: number
}

/** How a list is added. */
export interface ListRun {
  /** Adds a device. Throws DomainError. */
  readonly add: (device: ListedDevice) => Promise<{ readonly device_id: number }>
  /** Receives a result for each line, in order of their ends. */
  readonly tell: (result: ListedResult) => void
  /** How many devices are contacted at the same time. */
  readonly atOnce: number
  /** Receives the members of the groups that the list names, when all lines have ended. */
  readonly join?: (group: string, deviceIds: readonly number[]) => Promise<void>
}

/**
 * Adds the devices of a list. A refusal does not affect the other lines; once the database is unavailable, the rest is
 * reported as not tried. Rethrows unexpected errors.
 */
export async function addListed({ devices, faults }: DeviceList, run: ListRun): Promise<ListReport> {
  const report = { added: 0, present: 0, failed: 0 }
  const members = new Map<string, number[]>()
  const tell = (result: ListedResult) => {
    report[result.outcome]++
    run.tell(result)
  }
  let isDown = false
  const one = async (listed: ListedDevice): Promise<void> => {
    const { line, groups } = listed
    const at = { line, host: listed.given.hostname }
    if (isDown) return tell({ ...at, outcome: 'failed', deviceId: null, known: null, text: NOT_TRIED })
    try {
      const { device_id } = await run.add(listed)
      for (const name of groups) members.set(name, [...(members.get(name) ?? []), device_id])
      tell({ ...at, outcome: 'added', deviceId: device_id, known: null, text: '' })
    } catch (error) {
      const known = toDomainError(error)
      if (known === null) throw error
      if (known.code === 'unavailable') isDown = true
      const outcome = known.code === 'conflict' ? 'present' : 'failed'
      tell({ ...at, outcome, deviceId: null, known: known.deviceId, text: known.message })
    }
  }
  const left = [...devices, ...faults].toSorted((a, b) => a.line - b.line).values()
  const work = async () => {
    for (const next of left) {
      if ('given' in next) await one(next)
      else tell({ ...next, outcome: 'failed', deviceId: null, known: null })
    }
  }
  await Promise.all(Array.from({ length: run.atOnce }, work))
  for (const [name, ids] of members) await run.join?.(name, ids)
  return report
}

const NOT_TRIED = 'Not tried, because the database is unavailable. Try it again later'
