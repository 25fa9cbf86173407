import { isFrom } from './enterprise.ts'
import type { DeviceFacts, TableNeed } from './module.ts'

/** Enterprise numbers (IANA) of makers whose tables are asked only of their own devices. */
const ENTERPRISES = {
  arista: '30065',
  cisco: '9',
  hp: '11',
  foundry: '1991',
  extreme: '1916',
  huawei: '2011',
  nokia: '6527',
  tplink: '11863',
} as const

/** Whether sysObjectID is below the maker's enterprise. */
export function isMadeBy({ sysObjectID }: DeviceFacts, maker: keyof typeof ENTERPRISES): boolean {
  return isFrom(sysObjectID, ENTERPRISES[maker])
}

/** The need where it is wanted; else one that asks nothing. */
export function when<T extends TableNeed>(wanted: boolean, asked: T): T {
  return wanted ? asked : { ...asked, columns: [] }
}
