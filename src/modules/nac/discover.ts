import { arubaWiredPortAccessClientTable } from '../../mibs/arubawired-port-access-mib.ts'
import { cafSessionMethodsInfoTable, cafSessionTable } from '../../mibs/cisco-auth-framework-mib.ts'
import { agentAuthMgrClientStatusTable } from '../../mibs/dell-auth-manager-mib.ts'
import { hpicfDot1xAuthSessionStatsTable, hpicfDot1xSMAuthConfigTable } from '../../mibs/hp-dot1x-extensions-mib.ts'
import { hwAccessExtTable, hwAccessTable } from '../../mibs/huawei-aaa-mib.ts'
import { isFrom } from '../enterprise.ts'
import { isMadeBy, when } from '../maker.ts'
import { need, phase } from '../module.ts'
import { ciscoSessions } from './cisco.ts'
import { hpSessions, huaweiSessions } from './others.ts'
import { arubaSessions, dellSessions } from './switches.ts'

/** Nodes below the makers' enterprises: Dell's switches, and AOS-CX. */
const DELL_LAN = '674.10895'
const AOS_CX = '47196.4.1.1'

/** Sessions of network access control. There is no standard table of them: each maker's own, asked of its devices alone. */
export const readNac = phase({
  follow: ({ device }) => [
    {
      key: 'sessions',
      tables: {
        cisco: when(isMadeBy(device, 'cisco'), need(cafSessionTable)),
        ciscoMethods: when(isMadeBy(device, 'cisco'), need(cafSessionMethodsInfoTable)),
        hp: when(isMadeBy(device, 'hp'), need(hpicfDot1xAuthSessionStatsTable)),
        hpStates: when(isMadeBy(device, 'hp'), need(hpicfDot1xSMAuthConfigTable)),
        huawei: when(isMadeBy(device, 'huawei'), need(hwAccessTable)),
        huaweiMore: when(isMadeBy(device, 'huawei'), need(hwAccessExtTable)),
        dell: when(isFrom(device.sysObjectID, DELL_LAN), need(agentAuthMgrClientStatusTable)),
        aruba: when(isFrom(device.sysObjectID, AOS_CX), need(arubaWiredPortAccessClientTable)),
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
