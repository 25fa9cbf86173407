import { type Command, InvalidArgumentError, Option } from 'commander'
import { SYSTEM } from '../../core/base/actor.ts'
import { instantIn, type LayerDraft, LETS, type OnCallNow, quietWords, type Shift } from '../../core/on-call/service.ts'
import type { Services } from '../../core/services.ts'
import { clockOf, zoneClock } from '../../lib/zone-clock.ts'
import { type Act, actWith } from '../act.ts'
import type { LoadComposition } from '../app.ts'
import { addYes, type ConfirmOptions, confirm } from '../confirm.ts'
import { CliError, usage } from '../errors.ts'
import { positive } from '../numbers.ts'
import { print, printJson, printTable, say } from '../output.ts'
import { repeated } from '../repeated.ts'

const DAY_MS = 86_400_000
const MAX_DAYS = 100

/** `portlight on-call now|shifts|add|override|reach|calendar|delete`. */
export function registerOnCall(program: Command, load: LoadComposition): void {
  const onCall = program.command('on-call').description('on-call schedules: who is notified of problems, when and how')
  const act = actWith(load)
  registerReading(onCall, act)
  registerSchedules(onCall, act)
  registerReach(onCall, act)
}

function registerReading(onCall: Command, act: Act): void {
  onCall
    .command('now')
    .description('print who is on call now in each schedule, until when, and who is next')
    .option('--json', 'print JSON')
    .action(async (options: { json?: boolean }, command: Command) => {
      const all = await act(command, async ({ services }) => {
        const found = []
        for (const one of await services.onCall.now(SYSTEM))
          found.push({ ...one, later: one.next === null ? await laterOf(services, one) : null })
        return found
      })
      const rows = all.map(({ schedule, person, sinceMs, untilMs, next, reachable }) => ({
        ...{ id: schedule.id, schedule: schedule.name, zone: schedule.zone, person: person?.name ?? null },
        ...{ since: iso(sinceMs), until: iso(untilMs), next: next?.name ?? null, reachable },
      }))
      if (options.json === true) return printJson(rows)
      printTable(
        ['ID', 'SCHEDULE', 'ON CALL', 'UNTIL', 'NEXT'],
        all.map(({ schedule, person, untilMs, next, later, reachable }) => [
          ...[
            schedule.id,
            schedule.name,
            person === null ? 'nobody' : `${person.name}${reachable ? '' : ' (no transport)'}`,
          ],
          ...[untilMs === null ? null : local(schedule.zone, untilMs), next?.name ?? later],
        ]),
      )
    })
  onCall
    .command('shifts')
    .description('print who is on call when in a schedule, and when nobody is')
    .argument('<schedule>', 'name or id')
    .option('--days <n>', `how many days ahead, ${MAX_DAYS} at most`, upToDays, 14)
    .option('--json', 'print JSON')
    .action(async (ref: string, options: { days: number; json?: boolean }, command: Command) => {
      const { schedule, shifts, endMs } = await act(command, async ({ services }) => {
        const found = await services.onCall.find(SYSTEM, ref)
        const nowMs = Date.now()
        const until = nowMs + options.days * DAY_MS
        return { schedule: found, shifts: await services.onCall.shifts(SYSTEM, found.id, nowMs, until), endMs: until }
      })
      if (options.json === true) return printJson(shifts.map(shiftRecord))
      printTable(
        ['FROM', 'TO', 'ON CALL', 'WHY'],
        shifts.map(({ fromMs, toMs, person, layer, override }) => [
          // what goes on behind the last day is no hand-over
          ...[
            local(schedule.zone, fromMs),
            toMs < endMs ? local(schedule.zone, toMs) : `${local(schedule.zone, toMs)} or later`,
          ],
          person?.name ?? 'nobody',
          override !== null
            ? `override ${override}`
            : layer === null
              ? null
              : schedule.layers[layer]?.name || `layer ${layer + 1}`,
        ]),
      )
    })
}

/** Who is on call next where nobody follows at once, and from when; null: nobody within 100 days. */
async function laterOf({ onCall }: Services, { schedule, untilMs }: OnCallNow): Promise<string | null> {
  if (untilMs === null) return null
  const shifts = await onCall.shifts(SYSTEM, schedule.id, untilMs, untilMs + MAX_DAYS * DAY_MS)
  const next = shifts.find(({ person }) => person !== null)
  return next?.person ? `${next.person.name} from ${local(schedule.zone, next.fromMs)}` : null
}

const shiftRecord = ({ fromMs, toMs, person, override }: Shift) => ({
  ...{ from: iso(fromMs), to: iso(toMs), person: person?.name ?? null, override },
})

interface AddOptions {
  readonly zone: string
  readonly begins: string
  readonly person: readonly string[]
  readonly turn: Pick<LayerDraft, 'unit' | 'length'>
  readonly days?: string
  readonly from: string
  readonly to: string
}

function registerSchedules(onCall: Command, act: Act): void {
  onCall
    .command('add')
    .description('add a schedule with one layer of turns; the pages and the API add more layers')
    .argument('<name>', 'name of the schedule; must not consist only of digits, because that would be an id')
    .requiredOption('--zone <zone>', 'time zone of its local times, such as Europe/Berlin')
    .requiredOption('--begins <time>', 'local time of the first hand-over, YYYY-MM-DD HH:MM')
    .requiredOption('--person <user>', 'username, in the order of turns; may be repeated', repeated)
    .option('--turn <length>', 'how long a turn lasts: 12h, 1d, 1w', turnOf, { unit: 'week', length: 1 })
    .option('--days <days>', 'weekdays on which somebody is on call, 1 (Monday) to 7, such as 1,2,3,4,5')
    .option('--from <time>', 'time of day from which somebody is on call', '00:00')
    .option('--to <time>', 'time of day until which; at or before --from: on the next day', '00:00')
    .action(async (name: string, options: AddOptions, command: Command) => {
      const { zone, begins, turn, from, to } = options
      const days = options.days === undefined ? null : options.days.split(',').map(Number)
      const id = await act(command, async ({ services }) => {
        const people: number[] = []
        for (const person of options.person) people.push((await services.users.find(person)).user_id)
        const layer = { name: '', ...turn, begins, ends: null, days, from, to, people }
        return await services.onCall.add(SYSTEM, { name, zone, notes: '', layers: [layer] })
      })
      say(`on-call schedule ${name} added with id ${id}`)
    })
  onCall
    .command('override')
    .description('put a user on call for a time instead of whose turn it is')
    .argument('<schedule>', 'name or id')
    .argument('<user>', 'username')
    .requiredOption('--to <time>', "YYYY-MM-DD HH:MM in the schedule's time zone")
    .option('--from <time>', "YYYY-MM-DD HH:MM in the schedule's time zone (default: now)")
    .option('--note <text>', 'why', '')
    .action(async (ref: string, user: string, options: OverrideOptions, command: Command) => {
      const id = await act(command, ({ services }) => overrideOf(services, ref, user, options))
      say(`override ${id}: ${user} is on call in ${ref} until ${options.to}`)
    })
  onCall
    .command('calendar')
    .description('print the secret address of the calendar (iCalendar) of a schedule')
    .argument('<schedule>', 'name or id')
    .option('--renew', 'give it a new address first, so that the former one ends')
    .option('--close', 'end the address')
    .action(async (ref: string, options: { renew?: boolean; close?: boolean }, command: Command) => {
      if (options.renew === true && options.close === true) throw usage('give either --renew or --close')
      const url = await act(command, async ({ services: { onCall: service } }) => {
        const { id, feed } = await service.find(SYSTEM, ref)
        if (options.close === true) await service.renewFeed(SYSTEM, id, false)
        else if (options.renew === true || feed === null) await service.renewFeed(SYSTEM, id, true)
        return await service.feed(SYSTEM, id)
      })
      if (url === null) return say(`the calendar of ${ref} no longer has an address`)
      print(url)
      if (url.startsWith('/')) say('set alert.graph_url to the URL of this server, so that the address is complete')
    })
  addYes(onCall.command('delete'))
    .description('delete a schedule')
    .argument('<schedule>', 'name or id')
    .action(async (ref: string, options: ConfirmOptions, command: Command) => {
      await confirm(`delete on-call schedule ${ref}`, options)
      await act(command, async ({ services: { onCall: service } }) =>
        service.remove(SYSTEM, (await service.find(SYSTEM, ref)).id),
      )
      say(`on-call schedule ${ref} deleted`)
    })
}

interface OverrideOptions {
  readonly from?: string
  readonly to: string
  readonly note: string
}

async function overrideOf(
  { onCall, users }: Services,
  ref: string,
  user: string,
  { from, to, note }: OverrideOptions,
): Promise<number> {
  const schedule = await onCall.find(SYSTEM, ref)
  const { user_id: userId } = await users.find(user)
  const instant = (name: string, text: string) => {
    const ms = instantIn(schedule.zone, text)
    if (ms === null) throw usage(`${name} ${text} is not a time: enter it as YYYY-MM-DD HH:MM`)
    return ms
  }
  const fromMs = from === undefined ? Date.now() : instant('--from', from)
  return await onCall.override(SYSTEM, schedule.id, { userId, fromMs, toMs: instant('--to', to), note })
}

interface ReachOptions {
  readonly transport?: readonly string[]
  readonly none?: boolean
  readonly quiet?: readonly string[]
  readonly lets: string
  readonly zone?: string
  readonly json?: boolean
}

function registerReach(onCall: Command, act: Act): void {
  onCall
    .command('reach')
    .description('print by which transports a user is reached, or replace them')
    .argument('<user>', 'username')
    .option(
      '--transport <name>',
      'name or id of a transport; may be repeated: the first is used from the first notification of a problem on, the next from the second on',
      repeated,
    )
    .option('--none', 'by no transport')
    .option(
      '--quiet <hours>',
      "with --transport: quiet hours of all of them, such as 22:00-07:00, or '6-7 22:00-10:00' with the weekdays on which they begin (1: Monday); may be repeated",
      repeated,
    )
    .addOption(
      new Option('--lets <severity>', 'the mildest severity that is sent in quiet hours')
        .choices([...LETS])
        .default('critical'),
    )
    .option('--zone <zone>', "with --quiet: time zone of the hours (default: the server's)")
    .option('--json', 'print JSON')
    .action(async (user: string, options: ReachOptions, command: Command) => {
      if (options.transport !== undefined && options.none === true) throw usage('give either --transport or --none')
      const methods = await act(command, async ({ services }) => {
        const { user_id: id } = await services.users.find(user)
        if (options.transport !== undefined || options.none === true) await setReach(services, id, options)
        return (await services.onCall.contactMethods(SYSTEM, id)).methods
      })
      if (options.json === true) return printJson(methods)
      if (methods.length === 0) return say(`${user} is reached by no transport`)
      printTable(
        ['ORDER', 'TRANSPORT', 'QUIET', 'BUT FOR'],
        methods.map(({ attempt, transport, zone, quiet }) => [
          ...[attempt, transport],
          quiet.length === 0 ? null : `${quiet.map(quietWords).join('; ')} ${zone}`,
          quiet.length === 0 ? null : [...new Set(quiet.map(({ lets }) => lets))].join('; '),
        ]),
      )
    })
}

async function setReach(
  { onCall, transports }: Services,
  userId: number,
  { transport = [], quiet = [], lets, zone }: ReachOptions,
): Promise<void> {
  const hours = quiet.map((text) => {
    const [, days = '', from = '', to = ''] = /^(?:(\S+) +)?([\d:]+)-([\d:]+)$/.exec(text.trim()) ?? []
    if (from === '')
      throw usage(
        `--quiet ${text} is not a range of hours: enter it as 22:00-07:00, or '1-5 22:00-07:00' with weekdays`,
      )
    return { days, from, to, lets }
  })
  const known = await transports.list()
  const methods = transport.map((ref, i) => {
    const found =
      known.find(({ name }) => name.toLowerCase() === ref.toLowerCase()) ?? known.find(({ id }) => String(id) === ref)
    if (found === undefined) throw new CliError(`there is no transport ${ref}: portlight transport list shows them`)
    return { transportId: found.id, attempt: Math.min(9, i + 1), quiet: hours }
  })
  await onCall.setContactMethods(SYSTEM, userId, zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone, methods)
}

const UNIT_OF = { h: 'hour', d: 'day', w: 'week' } as const

function turnOf(text: string): Pick<LayerDraft, 'unit' | 'length'> {
  const [, length, unit] = /^(\d{1,4})([hdw])$/.exec(text) ?? []
  if (length === undefined || unit === undefined)
    throw new InvalidArgumentError('It must be a number of hours, days or weeks, such as 12h, 1d or 1w.')
  return { unit: UNIT_OF[unit as keyof typeof UNIT_OF], length: Number(length) }
}

function upToDays(text: string): number {
  const days = positive(text)
  if (days > MAX_DAYS) throw new InvalidArgumentError(`It must be at most ${MAX_DAYS}.`)
  return days
}

const iso = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString())
const local = (zone: string, ms: number) => clockOf(zoneClock(zone), ms).slice(0, 16)
