import { arubaWiredPortAccessClientTable } from '../../mibs/arubawired-port-access-mib.ts'
import { cafSessionMethodsInfoTable, cafSessionTable } from '../../mibs/cisco-auth-framework-mib.ts'
import { agentAuthMgrClientStatusTable } from '../../mibs/dell-auth-manager-mib.ts'
import { hpicfDot1xAuthSessionStatsTable, hpicfDot1xSMAuthConfigTable } from '../../mibs/hp-dot1x-extensions-mib.ts'
import { hwAccessExtTable, hwAccessTable } from '../../mibs/huawei-aaa-mib.ts'
import { type DeviceFacts, need, phase } from '../module.ts'
import { isOf, type Source, source } from '../source.ts'
import { ciscoSessions } from './cisco.ts'
import type { NacRow } from './observation.ts'
import { hpSessions, huaweiSessions } from './others.ts'
import { arubaSessions, dellSessions } from './switches.ts'

const SOURCES: readonly Source<undefined, readonly NacRow[]>[] = [
  source({
    vendors: ['cisco'],
    tables: { sessions: need(cafSessionTable), methods: need(cafSessionMethodsInfoTable) },
    read: ({ sessions, methods }) => ciscoSessions(sessions, methods),
  }),
  source({
    vendors: ['hp'],
    tables: { sessions: need(hpicfDot1xAuthSessionStatsTable), states: need(hpicfDot1xSMAuthConfigTable) },
    read: ({ sessions, states }) => hpSessions(sessions, states),
  }),
  source({
    vendors: ['huawei'],
    tables: { sessions: need(hwAccessTable), more: need(hwAccessExtTable) },
    read: ({ sessions, more }) => huaweiSessions(sessions, more),
  }),
  source({
    vendors: ['dellSwitch'],
    tables: { clients: need(agentAuthMgrClientStatusTable) },
    read: ({ clients }) => dellSessions(clients),
  }),
  source({
    vendors: ['arubaCx'],
    tables: { clients: need(arubaWiredPortAccessClientTable) },
    read: ({ clients }) => arubaSessions(clients),
  }),
]

const sourcesOf = (device: DeviceFacts) => SOURCES.filter(({ vendors }) => isOf(device, vendors))

/** Sessions of network access control. There is no standard table, so each vendor's own is read. */
export const readNac = phase({
  follow: ({ device }) => sourcesOf(device).map(({ tables }, i) => ({ key: `source ${i}`, tables })),
  run({ device, followed }) {
    const read = [...followed.values()].map(({ tables }) => tables)
    const sources = sourcesOf(device)
    return [
      {
        kind: 'nac',
        complete: read.every((tables) => Object.values(tables).every(({ complete }) => complete)),
        rows: sources.flatMap((source, i) => {
          const tables = followed.get(`source ${i}`)?.tables
          return tables === undefined ? [] : source.read(tables, undefined)
        }),
      },
    ]
  },
})
