/** @jsxImportSource #jsx */

import { toDomainError } from '../../../core/base/errors.ts'
import type { ListedResult, ListReport } from '../../../core/device-lists/add.ts'
import { type CheckedList, type JoinResult, reportText } from '../../../core/device-lists/service.ts'
import { plain } from '../../components/values.tsx'
import { type Action, type ActionResult, type Form, type PageRequest, page } from '../../page.ts'
import { can } from '../../permissions.ts'
import { commonOf } from '../add-device/request.ts'
import { lines } from '../add-device/stream.ts'
import { ListForm, type Outcome, Outcomes, type Row } from './view.tsx'

/** How long an answer to a browser without scripts waits for the work, which continues in any case. */
const WAIT_MS = 15_000
/** The form with a list of LIST_LIMITS, whose punctuation takes three octets each. */
const FORM_OCTETS = 1_048_576

/** Results by form, for the page that answers it. */
const outcomes = new WeakMap<Form, Outcome>()

/** Adds the devices of a list, after a reading that contacts nothing if that is wanted. */
export const addDevicesPage = page<{ readonly outcome: Outcome | null; readonly port: number }>({
  path: '/devices/new/list',
  gate: 'Device.create',
  formOctets: FORM_OCTETS,
  load: ({ services, sent }) =>
    Promise.resolve({
      outcome: sent === null ? null : (outcomes.get(sent) ?? null),
      port: services.config.get('snmp.port'),
    }),
  view: ({ outcome, port }, visit) => ({
    title: 'Add several devices',
    crumbs: [
      { label: 'Devices', href: '/devices' },
      { label: 'Add a device', href: '/devices/new' },
      { label: 'Add several' },
    ],
    body: (
      <>
        <div class="head">
          <h1>Add several devices</h1>
          <p>A name or an address a line, or a table whose first line names its columns.</p>
        </div>
        <div class="cols">
          <ListForm visit={visit} port={port} />
          <Outcomes outcome={outcome} />
        </div>
      </>
    ),
  }),
  actions: {
    check: (visit, form) => answered(visit, form, checkList),
    add: (visit, form) => answered(visit, form, addList),
  },
})

/** Receives what happens to a list: its lines, and at the end a sentence. */
interface Listener {
  readonly row: (row: Row) => void
  readonly total: (lines: number) => void
  readonly end: (sentence: string) => void
}

type Work = (visit: PageRequest, form: Form, listener: Listener) => Promise<void>

/** Streams the results, or shows those of the first seconds to a browser without scripts. */
async function answered(visit: PageRequest, form: Form, work: Work): ReturnType<Action> {
  return visit.streams ? streamed(visit, form, work) : await waited(visit, form, work)
}

function streamed(visit: PageRequest, form: Form, work: Work): Response {
  return lines(async (send) => {
    let done = 0
    let total = 0
    const listener: Listener = {
      total: (n) => {
        total = n
      },
      row: ({ what, text, state, to }) => {
        done++
        const step = { what: plain(what), result: plain(text), state, took: '' }
        send({ step, ...(to !== null && { link: to }), progress: `${done} of ${Math.max(total, done)}` })
      },
      end: (sentence) => send({ end: plain(sentence) }),
    }
    try {
      await work(visit, form, listener)
    } catch (error) {
      const known = toDomainError(error)
      if (known !== null) return send({ problem: plain(known.message), advice: [] })
      const reference = crypto.randomUUID().slice(0, 8)
      visit.services.log.error({ err: error, reference }, 'adding a list of devices failed')
      send({ problem: `Internal error in Portlight. See reference ${reference} in the log.`, advice: [] })
    }
  })
}

async function waited(visit: PageRequest, form: Form, work: Work): Promise<ActionResult> {
  const rows: Row[] = []
  let sentence: string | null = null
  const whole = work(visit, form, {
    total: () => undefined,
    row: (row) => rows.push(row),
    end: (text) => {
      sentence = text
    },
  })
  let timer: Timer | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, WAIT_MS)
  })
  try {
    await Promise.race([whole, late])
  } finally {
    clearTimeout(timer)
  }
  if (sentence === null)
    whole.catch((error: unknown) => visit.services.log.error({ err: error }, 'adding a list of devices failed'))
  const said = sentence ?? `${rows.length} lines are done; the others continue in the background.`
  outcomes.set(form, { rows: [...rows], sentence: said })
  return { notice: { tone: rows.some(({ state }) => state === 'no') ? 'warn' : 'ok', text: said } }
}

async function checkedList(visit: PageRequest, form: Form): Promise<CheckedList> {
  return await visit.services.deviceLists.check(visit.actor, form.get('list') ?? '', (gate) => can(visit, gate))
}

const checkList: Work = async (visit, form, { row, total, end }) => {
  commonOf(form)
  const { devices, faults, present } = await checkedList(visit, form)
  total(devices.length + faults.length + present.length)
  const all: (Row & { readonly line: number })[] = [
    ...faults.map(({ line, host, text }) => ({ line, ...rowOf(line, host, text, 'no') })),
    ...present.map(({ line, host, text }) => ({ line, ...rowOf(line, host, text, 'skipped') })),
    ...devices.map(({ line, given, groups }) => ({
      line,
      ...rowOf(line, given.hostname, ['can be tried', ...wordsOf(given, groups)].join(', '), 'ok'),
    })),
  ]
  for (const one of all.toSorted((a, b) => a.line - b.line)) row(one)
  end(
    `Nothing was contacted or stored. ${devices.length} to add, ${present.length} monitored already, ${faults.length} with an error.`,
  )
}

/** What a line says itself, without secrets. */
function wordsOf(given: CheckedList['devices'][number]['given'], groups: readonly string[]): string[] {
  const { snmpver, community, authname, port, location } = given
  return [
    snmpver === undefined ? '' : `SNMP ${snmpver}`,
    community === undefined ? '' : 'its own community',
    authname === undefined ? '' : 'its own user',
    port === undefined ? '' : `UDP port ${port}`,
    location === undefined ? '' : `location ${location}`,
    groups.length === 0 ? '' : `groups ${groups.join(', ')}`,
  ].filter((word) => word !== '')
}

const addList: Work = async (visit, form, { row, total, end }) => {
  const common = commonOf(form)
  const list = await checkedList(visit, form)
  total(list.devices.length + list.faults.length + list.present.length)
  const problems: JoinResult[] = []
  const report: ListReport = await visit.services.deviceLists.add(visit.actor, list, common, {
    line: (result) => row(resultRow(result)),
    group: (result) => {
      if (result.problem !== null) problems.push(result)
    },
  })
  const groups = problems.map(({ group, devices, problem }) => ` ${devices} not in group ${group}: ${problem}.`)
  end(`${reportText(report)}.${groups.join('')}`)
}

function resultRow({ line, host, outcome, deviceId, text }: ListedResult): Row {
  if (deviceId !== null) return { ...rowOf(line, host, 'added', 'ok'), to: `/device/${deviceId}` }
  return rowOf(line, host, text, outcome === 'present' ? 'skipped' : 'no')
}

const rowOf = (line: number, host: string, text: string, state: Row['state']): Row => ({
  what: `Line ${line}: ${host}`,
  text,
  state,
  to: null,
})
