import { type Command, InvalidArgumentError, Option } from 'commander'
import {
  FAULT_BOUNDS,
  FAULT_STATES,
  type Fault,
  type FaultState,
  UNTIL_CLEAR,
  type Until,
} from '../../core/alerts/faults/fault.ts'
import { SYSTEM } from '../../core/base/actor.ts'
import { type Act, actWith } from '../act.ts'
import type { LoadComposition } from '../app.ts'
import { usage } from '../errors.ts'
import { positive } from '../numbers.ts'
import { printJson, printTable, say } from '../output.ts'

const STATES: Readonly<Record<string, readonly FaultState[] | undefined>> = {
  open: [1, 2],
  active: [1],
  acknowledged: [2],
  over: [0],
  all: undefined,
}
const NOTE = ['--note <text>', 'why, for colleagues', ''] as const
const FAULT_ID = 'id of the fault, from fault list'

interface ListOptions {
  readonly state: string
  readonly severity?: 'ok' | 'warning' | 'critical'
  readonly device?: string
  readonly alert?: number
  readonly assignedTo?: string
  readonly limit: number
  readonly json?: boolean
}

interface NoteOptions {
  readonly note: string
}

/** `portlight fault list|show|acknowledge|unacknowledge|assign|mute|unmute|note`. */
export function registerFault(program: Command, load: LoadComposition): void {
  const fault = program.command('fault').description('what alert rules find wrong, each thing by itself')
  const act = actWith(load)
  registerReads(fault, act)
  registerAcknowledgement(fault, act)
  registerChanges(fault, act)
}

function registerReads(fault: Command, act: Act): void {
  fault
    .command('list')
    .description('list faults, the latest first')
    .addOption(new Option('--state <state>', 'their state').choices(Object.keys(STATES)).default('open'))
    .addOption(new Option('--severity <severity>', 'their severity').choices(['ok', 'warning', 'critical']))
    .option('--device <device>', 'hostname or id')
    .option('--alert <id>', 'id of the alert whose faults they are', positive)
    .option('--assigned-to <user>', 'name or id of a user')
    .option('--limit <number>', `at most this many, up to ${FAULT_BOUNDS.page}`, positive, 100)
    .option('--json', 'print JSON')
    .action(async (options: ListOptions, command: Command) => {
      const { state, severity, device, alert, assignedTo, limit } = options
      if (limit > FAULT_BOUNDS.page) throw usage(`--limit must be at most ${FAULT_BOUNDS.page}`)
      const { rows, total } = await act(command, async ({ services }) => {
        const states = STATES[state]
        const filter = {
          ...(states !== undefined && { states }),
          ...(severity !== undefined && { severity }),
          ...(device !== undefined && { deviceId: (await services.devices.require(SYSTEM, device)).device_id }),
          ...(alert !== undefined && { alertId: alert }),
          ...(assignedTo !== undefined && { assignedTo: (await services.users.find(assignedTo)).user_id }),
        }
        return await services.faults.list(SYSTEM, filter, { offset: 0, limit })
      })
      if (options.json === true) return printJson(rows)
      printTable(
        ['ID', 'SEVERITY', 'STATE', 'SINCE', 'ASSIGNED TO', 'DEVICE', 'WHAT IS WRONG'],
        rows.map((row) => [
          row.id,
          row.severity,
          stateText(row),
          row.began_at.toISOString(),
          row.assigned_to?.username ?? '',
          row.device,
          row.message === '' ? row.rule : row.message,
        ]),
      )
      if (total > rows.length) say(`${total} in all; --limit shows more`)
    })
  fault
    .command('show')
    .description('print a fault and what happened to it')
    .argument('<id>', FAULT_ID, faultId)
    .option('--json', 'print JSON')
    .action(async (id: number, options: { json?: boolean }, command: Command) => {
      const { found, history } = await act(command, async ({ services: { faults } }) => ({
        found: await faults.get(SYSTEM, id),
        history: await faults.history(SYSTEM, id),
      }))
      if (options.json === true) return printJson({ ...found, history })
      printTable(
        ['FIELD', 'VALUE'],
        [
          ['what is wrong', found.message],
          ['device', found.device],
          ['rule', found.rule],
          ['severity', found.severity],
          ['state', stateText(found)],
          ['since', found.began_at.toISOString()],
          ['over', found.ended_at?.toISOString() ?? ''],
          ['assigned to', found.assigned_to?.username ?? ''],
          ['acknowledged until', acknowledgedText(found)],
          ['muted until', found.muted_until === null ? '' : untilText(found.muted_until)],
        ],
      )
      printTable(
        ['TIME', 'WHAT HAPPENED', 'BY', 'NOTE'],
        history.map(({ at, what, by, note }) => [at.toISOString(), what, by ?? '', note]),
      )
    })
}

function registerAcknowledgement(fault: Command, act: Act): void {
  fault
    .command('acknowledge')
    .description('acknowledge faults; what fails again later is another fault')
    .argument('<id...>', FAULT_ID, faultIds)
    .option(...NOTE)
    .option('--until <when>', 'clear, worse, or a time such as 2026-01-31T12:00:00Z', untilOf, 'clear' as const)
    .action(async (ids: readonly number[], { note, until }: NoteOptions & { until: Until }, command: Command) => {
      const done = await act(command, ({ services }) => services.faults.acknowledge(SYSTEM, ids, { note, until }))
      for (const { id, message } of done) say(`fault ${id} acknowledged: ${message}`)
    })
  fault
    .command('unacknowledge')
    .description('make acknowledged faults active again')
    .argument('<id...>', FAULT_ID, faultIds)
    .option(...NOTE)
    .action(async (ids: readonly number[], { note }: NoteOptions, command: Command) => {
      await act(command, ({ services }) => services.faults.unacknowledge(SYSTEM, ids, note))
      for (const id of ids) say(`fault ${id} is active again`)
    })
}

function registerChanges(fault: Command, act: Act): void {
  fault
    .command('assign')
    .description('assign a fault to a user who may see the device; without a user, to nobody')
    .argument('<id>', FAULT_ID, faultId)
    .argument('[user]', 'name or id of the user')
    .option(...NOTE)
    .action(async (id: number, user: string | undefined, { note }: NoteOptions, command: Command) => {
      const done = await act(command, async ({ services }) => {
        const userId = user === undefined ? null : (await services.users.find(user)).user_id
        return await services.faults.assign(SYSTEM, id, userId, note)
      })
      say(`fault ${id} is assigned to ${done.assigned_to?.username ?? 'nobody'}`)
    })
  fault
    .command('mute')
    .description('send no notifications of a fault')
    .argument('<id>', FAULT_ID, faultId)
    .option(...NOTE)
    .option('--until <when>', 'clear, or a time such as 2026-01-31T12:00:00Z', untilOf, 'clear' as const)
    .action(async (id: number, { note, until }: NoteOptions & { until: Until }, command: Command) => {
      if (until === 'worse') throw usage('--until must be clear or a time')
      await act(command, ({ services }) => services.faults.mute(SYSTEM, id, until, note))
      say(`fault ${id} is muted until ${until === 'clear' ? 'it is over' : until.toISOString()}`)
    })
  fault
    .command('unmute')
    .description('send notifications of a muted fault again')
    .argument('<id>', FAULT_ID, faultId)
    .option(...NOTE)
    .action(async (id: number, { note }: NoteOptions, command: Command) => {
      await act(command, ({ services }) => services.faults.mute(SYSTEM, id, null, note))
      say(`fault ${id} is no longer muted`)
    })
  fault
    .command('note')
    .description('add a note to a fault, also to one that is over')
    .argument('<id>', FAULT_ID, faultId)
    .argument('<text>', 'the note')
    .action(async (id: number, text: string, _options: unknown, command: Command) => {
      await act(command, ({ services }) => services.faults.note(SYSTEM, id, text))
      say(`note added to fault ${id}`)
    })
}

/** Ids of faults are larger than others: there are many. */
function faultId(text: string): number {
  const id = Number(text)
  if (!/^[1-9]\d*$/.test(text) || id > Number.MAX_SAFE_INTEGER)
    throw new InvalidArgumentError('It must be a whole number above 0.')
  return id
}

const faultIds = (text: string, before: readonly number[] = []): readonly number[] => [...before, faultId(text)]

function untilOf(text: string): Until {
  if (text === 'clear' || text === 'worse') return text
  const at = /^\d{4}-\d\d-\d\dT/.test(text) ? new Date(text) : new Date(Number.NaN)
  if (Number.isNaN(at.getTime()))
    throw new InvalidArgumentError('It must be clear, worse, or a time such as 2026-01-31T12:00:00Z.')
  return at
}

const stateText = ({ state, muted_until }: Fault): string => {
  const muted = muted_until !== null && muted_until.getTime() > Date.now() ? ', muted' : ''
  return `${FAULT_STATES[state]}${muted}`
}

const untilText = (at: Date): string => (at.getTime() === UNTIL_CLEAR.getTime() ? 'it is over' : at.toISOString())

function acknowledgedText({ acknowledgement }: Fault): string {
  if (acknowledgement === null) return ''
  const { by, until, untilAt } = acknowledgement
  const end = { clear: 'it is over', worse: 'it gets worse', time: untilAt?.toISOString() ?? 'a time' }[until]
  return by === null ? end : `${end} (${by})`
}
