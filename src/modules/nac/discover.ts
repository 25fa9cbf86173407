import { cafSessionMethodsInfoTable, cafSessionTable } from '../../mibs/cisco-auth-framework-mib.ts'
import { hpicfDot1xAuthSessionStatsTable, hpicfDot1xSMAuthConfigTable } from '../../mibs/hp-dot1x-extensions-mib.ts'
import { hwAccessExtTable, hwAccessTable } from '../../mibs/huawei-aaa-mib.ts'
import { isMadeBy, when } from '../maker.ts'
import { need, phase } from '../module.ts'
import { ciscoSessions } from './cisco.ts'
import { hpSessions, huaweiSessions } from './others.ts'

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
      },
    },
  ],
  run({ followed }) {
    const tables = followed.get('sessions')?.tables
    if (tables === undefined) return []
    const { cisco, ciscoMethods, hp, hpStates, huawei, huaweiMore } = tables
    return [
      {
        kind: 'nac',
        complete: [cisco, ciscoMethods, hp, hpStates, huawei, huaweiMore].every(({ complete }) => complete),
        rows: [
          ...ciscoSessions(cisco.rows, ciscoMethods.rows),
          ...hpSessions(hp.rows, hpStates.rows),
          ...huaweiSessions(huawei.rows, huaweiMore.rows),
        ],
      },
    ]
  },
})
