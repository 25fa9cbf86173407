import { arubaWiredPortAccessClientTable } from '../../mibs/arubawired-port-access-mib.ts'
import { cafSessionMethodsInfoTable, cafSessionTable } from '../../mibs/cisco-auth-framework-mib.ts'
import { agentAuthMgrClientStatusTable } from '../../mibs/dell-auth-manager-mib.ts'
import { hpicfDot1xAuthSessionStatsTable, hpicfDot1xSMAuthConfigTable } from '../../mibs/hp-dot1x-extensions-mib.ts'
import { hwAccessExtTable, hwAccessTable } from '../../mibs/huawei-aaa-mib.ts'
import { need, phase } from '../module.ts'
import { isFrom, when } from '../vendor.ts'
import { ciscoSessions } from './cisco.ts'
import { hpSessions, huaweiSessions } from './others.ts'
import { arubaSessions, dellSessions } from './switches.ts'

/** Sessions of network access control. There is no standard table, so each vendor's own is read from its devices. */
export const readNac = phase({
  follow: ({ device }) => [
    {
      key: 'sessions',
      tables: {
        cisco: when(isFrom(device, 'cisco'), need(cafSessionTable)),
        ciscoMethods: when(isFrom(device, 'cisco'), need(cafSessionMethodsInfoTable)),
        hp: when(isFrom(device, 'hp'), need(hpicfDot1xAuthSessionStatsTable)),
        hpStates: when(isFrom(device, 'hp'), need(hpicfDot1xSMAuthConfigTable)),
        huawei: when(isFrom(device, 'huawei'), need(hwAccessTable)),
        huaweiMore: when(isFrom(device, 'huawei'), need(hwAccessExtTable)),
        dell: when(isFrom(device, 'dellSwitch'), need(agentAuthMgrClientStatusTable)),
        aruba: when(isFrom(device, 'arubaCx'), need(arubaWiredPortAccessClientTable)),
      },
    },
  ],
  run({ followed }) {
    const tables = followed.get('sessions')?.tables
    if (tables === undefined) return []
    const { cisco, ciscoMethods, hp, hpStates, huawei, huaweiMore, dell, aruba } = tables
    return [
      {
        kind: 'nac',
        complete: Object.values(tables).every(({ complete }) => complete),
        rows: [
          ...ciscoSessions(cisco.rows, ciscoMethods.rows),
          ...hpSessions(hp.rows, hpStates.rows),
          ...huaweiSessions(huawei.rows, huaweiMore.rows),
          ...dellSessions(dell.rows),
          ...arubaSessions(aruba.rows),
        ],
      },
    ]
  },
})
