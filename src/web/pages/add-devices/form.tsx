/** @jsxImportSource #jsx */

import type { ListedResult, ListReport } from '../../../core/device-lists/add.ts'
import { type CheckedList, type JoinResult, reportText } from '../../../core/device-lists/service.ts'
import { type Form, LONG_FORM_OCTETS, type PageRequest, page } from '../../page.ts'
import { can } from '../../permissions.ts'
import { commonOf } from '../add-device/request.ts'
import { answered, outcomeOf, type Work } from './answer.ts'
import { ListForm, type Outcome, Outcomes, type Row } from './view.tsx'

/** Adds the devices of a list, after a reading that contacts nothing if that is wanted. */
export const addDevicesPage = page<{ readonly outcome: Outcome | null; readonly port: number }>({
  path: '/devices/new/list',
  gate: 'Device.create',
  // a list of LIST_LIMITS, whose punctuation takes three octets each
  formOctets: LONG_FORM_OCTETS,
  load: (visit) => Promise.resolve({ outcome: outcomeOf(visit), port: visit.services.config.get('snmp.port') }),
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
          <Outcomes
            outcome={outcome}
            title="Lines"
            hint="“Check the list” reads it and contacts nothing. “Add devices” contacts several devices at the same time, and adds those that answer."
          />
        </div>
      </>
    ),
  }),
  actions: {
    check: (visit, form) => answered(visit, form, checkList),
    add: (visit, form) => answered(visit, form, addList),
  },
})

async function checkedList(visit: PageRequest, form: Form): Promise<CheckedList> {
  return await visit.services.deviceLists.check(visit.actor, form.get('list') ?? '', (gate) => can(visit, gate))
}

const checkList: Work = async (visit, form, { row, total, end }) => {
  commonOf(form)
  const { devices, faults, present } = await checkedList(visit, form)
  total(devices.length + faults.length + present.length)
  const all: (Row & { readonly line: number })[] = [
    ...faults.map(({ line, host, text }) => ({ line, ...rowOf(line, host, text, 'no') })),
    ...present.map(({ line, host, text, known }) => ({ line, ...rowOf(line, host, text, 'skipped', known) })),
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

function resultRow({ line, host, outcome, deviceId, known, text }: ListedResult): Row {
  if (deviceId !== null) return rowOf(line, host, 'added', 'ok', deviceId)
  return rowOf(line, host, text, outcome === 'present' ? 'skipped' : 'no', known)
}

const rowOf = (line: number, host: string, text: string, state: Row['state'], deviceId: number | null = null): Row => ({
  what: `Line ${line}: ${host}`,
  text,
  state,
  to: deviceId === null ? null : `/device/${deviceId}`,
})
