import { type EngineRule, engineRule } from '../../../src/core/alerts/engine-rule.ts'
import type { EngineFault } from '../../../src/core/alerts/faults/evolve.ts'
import type { AlertRow, SubjectDevice } from '../../../src/core/alerts/read-subjects.ts'
import type { Moment } from '../../../src/core/alerts/transition.ts'
import type { DeviceFaults } from '../../../src/core/alerts/write-evaluation.ts'
import type { AlertWrite } from '../../../src/core/alerts/write-transitions.ts'

// An alert of one rule on one device, kept in memory instead of the database.

export const T = Date.UTC(2026, 7, 1)
export const DEVICE = { device_id: 1, hostname: 'sw1', display: '', parents: [], status: 1 } as unknown as SubjectDevice

/** A rule about ports that are down. */
export const rule = (extra: object): EngineRule => {
  const made = engineRule({
    id: 1,
    name: 'Port down',
    severity: 'critical',
    extra: JSON.stringify(extra),
    builder: JSON.stringify({
      condition: 'AND',
      rules: [{ field: 'ports.ifOperStatus', operator: 'equal', value: 'down' }],
    }),
    disabled: 0,
    proc: null,
    notes: null,
    invert_map: 0,
    mapped: false,
  } as Parameters<typeof engineRule>[0])
  if (typeof made === 'string') throw new Error(made)
  return made
}

/** What the rule finds if these ports are down. */
export const foundOf = (ports: readonly number[]): DeviceFaults | null =>
  ports.length === 0
    ? null
    : {
        keys: ports.map(String),
        count: ports.length,
        digest: `${ports.length}:${ports.join()}`,
        rows: ports.map((port) => ({ port_id: port, ifName: `Gi${port}`, ifOperStatus: 'down' })),
      }

/** An alert and its faults as they would be stored. */
export interface Stored {
  row: AlertRow | null
  faults: EngineFault[]
}

/** Stores what an evaluation changes, as the engine does. */
export function store(stored: Stored, write: AlertWrite, ids: () => number): void {
  const { state, open, alerted, digest, faults, changedAt, beganAt, begins, notified, notifiedAt, nextAt, held } = write
  stored.row = {
    ...{ id: 1, digest, faults, begins, notified, held, steps: null, told: [], note: '' },
    state: state as AlertRow['state'],
    open: open ? 1 : 0,
    alerted: alerted as AlertRow['alerted'],
    changed_at: changedAt,
    began_at: beganAt,
    notified_at: notifiedAt,
    next_at: nextAt,
    info: state === 0 ? '' : (stored.row?.info ?? ''),
  }
  for (const { fault, changed } of write.faultWrites) {
    if (fault.id === null) stored.faults.push({ ...fault, id: ids() })
    else if (changed) stored.faults = stored.faults.map((one) => (one.id === fault.id ? fault : one))
  }
  stored.faults = stored.faults.filter(({ live }) => live)
}

/** The part of a moment that holds notifications back: maintenance of the device and of ports, and its parents. */
export function held({
  maintenance,
  ports,
  parentsDown,
}: {
  readonly maintenance: 1 | 2 | 3 | null
  readonly ports: readonly number[]
  readonly parentsDown: boolean
}): Pick<Moment, 'maintenance' | 'partMaintenance' | 'reachability'> {
  return {
    maintenance: new Map(maintenance === null ? [] : [[1, maintenance]]),
    partMaintenance: { port: new Map(ports.map((port) => [port, 1])), sensor: new Map() },
    reachability: {
      unreachable: new Map(parentsDown ? [[1, { cause: 2, since: 0, presumed: false }]] : []),
      behind: () => 0,
      whoIsBehind: () => [],
      openUntil: () => null,
      toAsk: () => [],
    },
  }
}
