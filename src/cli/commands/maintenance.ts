import { type Command, Option } from 'commander'
import { SYSTEM } from '../../core/base/actor.ts'
import type { ScheduleRecord } from '../../core/maintenance/service.ts'
import type { Services } from '../../core/services.ts'
import { clockOf, OWN_CLOCK, zoneClock } from '../../lib/zone-clock.ts'
import { actWith } from '../act.ts'
import { hoursText, localDay, localTime, minutes } from '../amounts.ts'
import type { LoadComposition } from '../app.ts'
import { addYes, type ConfirmOptions, confirm } from '../confirm.ts'
import { CliError, usage } from '../errors.ts'
import { positive } from '../numbers.ts'
import { printJson, printTable, say } from '../output.ts'

const BEHAVIORS = ['no alert checks', 'no notifications', 'alerts as usual']

/** `portlight maintenance add|list|end|delete`. */
export function registerMaintenance(program: Command, load: LoadComposition): void {
  const maintenance = program.command('maintenance').description('maintenance windows, in which alerts are held back')
  const act = actWith(load)

  maintenance
    .command('add')
    .description('add a maintenance window for a device, a device group, a location, a port or a sensor')
    .option('--device <device>', 'hostname or id')
    .option('--group <group>', 'name or id of a device group')
    .option('--location <location>', 'name or id of a location')
    .option('--port <port>', 'id of a port, or "HOSTNAME NAME"')
    .option('--sensor <sensor>', 'id of a sensor, or "HOSTNAME DESCRIPTION"')
    .requiredOption('--duration <length>', 'how long: 2h, 90m, 1d, or hours and minutes, 1:30', minutes)
    .option('--start <time>', 'YYYY-MM-DD HH:MM, in server time or in --zone (default: now)', localTime)
    .option('--until <day>', 'last day of a repeating window, YYYY-MM-DD', localDay)
    .addOption(
      new Option('--repeat <how>', 'with --until: how to repeat (default: daily, or weekly with --days)').choices([
        'daily',
        'weekly',
        'monthly',
      ]),
    )
    .option(
      '--days <days>',
      'with --until: only on these days, 1 (Monday) to 7, such as 1,2,3,4,5; monthly: one weekday, for example 2 for the same Tuesday of each month as the start',
    )
    .option('--zone <zone>', 'with --until: time zone of start and last day, such as Europe/Berlin')
    .option('--title <text>', 'title (default: the name of the target)')
    .option('--notes <text>', 'reason for the maintenance', '')
    .addOption(
      new Option(
        '--behavior <n>',
        'effect on alerts: 1 no alert checks, 2 no notifications, 3 alerts as usual',
      ).choices(['1', '2', '3']),
    )
    .option('--json', 'print JSON')
    .action(async (options: AddOptions, command: Command) => {
      const { device, group, location, port, sensor } = options
      if ([device, group, location, port, sensor].filter((ref) => ref !== undefined).length !== 1) {
        throw usage('give exactly one of --device, --group, --location, --port and --sensor')
      }
      for (const name of ['days', 'repeat', 'zone'] as const)
        if (options[name] !== undefined && options.until === undefined) throw usage(`--${name} needs --until`)
      const { id, target, begins } = await act(command, async ({ services }) => {
        const target = await targetOf(services, options)
        const { title = null, notes, start = null, duration, until, days = null, zone = null } = options
        const every = options.repeat ?? (days === null ? 'daily' : 'weekly')
        const again = until === undefined ? {} : { repeat: { every, days, until, zone } }
        const behavior = options.behavior === undefined ? null : Number(options.behavior)
        const id = await services.maintenance.schedule(SYSTEM, target, {
          title,
          notes,
          start,
          duration: hoursText(duration),
          behavior,
          ...again,
        })
        return { id, target, begins: until === undefined ? start : await nextOf(services, id, zone) }
      })
      if (options.json === true) return printJson({ schedule_id: id, target: target.name })
      const when =
        options.until !== undefined ? nextText(begins) : begins === null ? 'begins now' : `begins at ${begins}`
      say(`maintenance ${id} of ${target.name} ${when} and lasts ${hoursText(options.duration)} h`)
    })
  maintenance
    .command('list')
    .description('list maintenance windows')
    .option('--json', 'print JSON')
    .action(async (options: { json?: boolean }, command: Command) => {
      const list = await act(command, ({ services }) => services.maintenance.list())
      if (options.json === true) return printJson(list)
      printTable(['ID', 'TARGET', 'TITLE', 'START', 'END', 'DAYS', 'ALERTS', 'NOTES'], list.map(row))
    })
  maintenance
    .command('end')
    .description('end a maintenance window now; it stays in the list')
    .argument('<id>', 'id of the window, from maintenance list', positive)
    .action(async (id: number, _options: unknown, command: Command) => {
      await act(command, ({ services }) => services.maintenance.end(SYSTEM, id))
      say(`maintenance ${id} ended`)
    })
  addYes(maintenance.command('delete'))
    .description('delete a maintenance window')
    .argument('<id>', 'id of the window, from maintenance list', positive)
    .action(async (id: number, options: ConfirmOptions, command: Command) => {
      await confirm(`delete maintenance ${id}`, options)
      await act(command, ({ services }) => services.maintenance.delete(SYSTEM, id))
      say(`maintenance ${id} deleted`)
    })
}

interface AddOptions {
  readonly device?: string
  readonly group?: string
  readonly location?: string
  readonly port?: string
  readonly sensor?: string
  /** Minutes. */
  readonly duration: number
  readonly start?: string
  readonly until?: string
  readonly repeat?: 'daily' | 'weekly' | 'monthly'
  readonly days?: string
  readonly zone?: string
  readonly title?: string
  readonly notes: string
  readonly behavior?: string
  readonly json?: boolean
}

/** Days ahead in which a repeating window, at least a monthly one, begins again. */
const DAYS_AHEAD = 62

/** When a repeating window is open next, as local time of its zone; `now` if it is, null if not within two months. */
async function nextOf({ maintenance }: Services, id: number, zone: string | null): Promise<string | null> {
  const nowMs = Date.now()
  const next = (await maintenance.upcoming(nowMs, DAYS_AHEAD)).find(({ schedule_id }) => schedule_id === id)
  if (next === undefined) return null
  if (next.opens.getTime() <= nowMs) return 'now'
  return clockOf(zone === null ? OWN_CLOCK : zoneClock(zone), next.opens.getTime()).slice(0, 16)
}

const nextText = (begins: string | null): string =>
  begins === null ? 'repeats' : `repeats, begins next ${begins === 'now' ? 'now' : `at ${begins}`}`

async function targetOf(
  { devices, deviceGroups, locations, maintenance }: Services,
  { device, group, location = '', port, sensor }: AddOptions,
) {
  if (port !== undefined) return await maintenance.requirePart(SYSTEM, 'port', port)
  if (sensor !== undefined) return await maintenance.requirePart(SYSTEM, 'sensor', sensor)
  if (device !== undefined) {
    const found = await devices.require(SYSTEM, device)
    return { kind: 'device' as const, id: found.device_id, name: found.hostname }
  }
  if (group !== undefined) {
    const found = await deviceGroups.find(SYSTEM, group)
    if (!found) throw new CliError(`there is no device group ${group}`)
    return { kind: 'device_group' as const, id: found.id, name: found.name }
  }
  const found = await locations.find(SYSTEM, location)
  if (!found) throw new CliError(`there is no location ${location}`)
  return { kind: 'location' as const, id: found.id, name: found.location }
}

function row(schedule: ScheduleRecord) {
  const { schedule_id, target, title, start, end, recurring, recurring_day, behavior, notes } = schedule
  const days = recurring === 1 ? [schedule.repeat, recurring_day ?? 'all', schedule.zone].filter(Boolean).join(' ') : ''
  return [
    schedule_id,
    target,
    title,
    start.toISOString(),
    end.toISOString(),
    days,
    BEHAVIORS[behavior - 1] ?? '',
    notes,
  ]
}
