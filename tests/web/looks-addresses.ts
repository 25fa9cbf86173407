import { PAGES } from '../../src/web/pages.ts'
import type { SmallFleet } from './small-fleet.ts'

type Ids = Pick<SmallFleet, 'deviceId' | 'portId' | 'alertId' | 'serviceId' | 'billId'>

/** Ids of what the tests of looks store besides the small fleet. */
interface Stored {
  readonly scan: number
  readonly candidates: readonly number[]
  readonly alert: number
  readonly faults: readonly number[]
  readonly schedule: number
  readonly person: number
  /** Path of a link that acknowledges. */
  readonly link: string
}

/** Pages of the administration. */
export const ADMINISTRATION: readonly string[] = [
  '/pollers',
  '/pollers/groups',
  '/database?days=400',
  '/maintenance',
  '/settings',
  '/settings?q=alert',
  '/settings/users',
  '/settings/users?user=admin',
  '/settings/roles',
  '/settings/audit',
  '/api-access',
  '/account',
  '/account?factor=new',
  '/sign-in',
]

/** Pages that change something. */
export const changing = (at: Ids): readonly string[] => [
  '/bills',
  '/bills/new',
  `/bills/${at.billId}`,
  '/groups',
  '/groups/new',
  '/groups/ports/new',
  '/services',
  '/services/new',
  `/services/${at.serviceId}`,
  '/alerts/rules',
  '/alerts/rules/new?preset=port-errors',
  '/alerts/operations',
  '/alerts/operations/new',
  '/alerts/templates?new',
  '/alerts/transports',
  '/alerts/transports?new=mail',
  '/devices/new',
  '/devices/new/list',
  `/device/${at.deviceId}/edit`,
]

/** Pages that show what is watched. */
export const watching = (at: Ids): readonly string[] => [
  '/',
  '/devices',
  '/devices?view=tiles',
  '/devices?q=nothing',
  `/device/${at.deviceId}`,
  `/device/${at.deviceId}/ports`,
  `/device/${at.deviceId}/graphs`,
  `/device/${at.deviceId}/logs`,
  `/device/${at.deviceId}/logs?log=syslog`,
  `/device/${at.deviceId}/capture`,
  `/port/${at.portId}`,
  '/search?q=switch',
  '/ports',
  '/ports/top',
  '/health',
  '/routing',
  '/wireless',
  '/discovered',
  '/discovered?of=nac',
  '/sightings',
  '/mac/4c14a3010203',
  '/topology',
  '/topology?view=table',
  '/locations',
  '/logs',
  '/logs/syslog?level=4&q=x',
  '/alerts',
  '/alerts/history',
  `/alerts/${at.alertId}`,
  '/about',
  '/help',
  '/help?q=community',
  '/help/how-to/prepare-devices',
  '/help/reference/transports',
  '/nothing-here',
]

/** Pages of what was found. */
export const finding = (
  at: Ids,
  { scan, candidates: [first = 0, second = 0, third = 0] }: Pick<Stored, 'scan' | 'candidates'>,
): readonly string[] => [
  '/found',
  '/found?state=all&source=scan&q=access',
  '/found?state=ignored',
  `/found/accept?ids=${second}`,
  `/found/accept?ids=${first},${second},${third}`,
  '/found/rules',
  '/scans',
  `/scans/${scan}`,
  '/first-run',
  '/topology',
  `/device/${at.deviceId}/neighbours`,
  `/device/${at.deviceId}/fdb`,
]

/** Pages of alerts and their faults. */
export const alerting = ({ alert, faults }: Pick<Stored, 'alert' | 'faults'>): readonly string[] => [
  '/alerts',
  `/alerts/${alert}`,
  ...faults.map((id) => `/faults/${id}`),
]

/** Pages of who is on call, and the one of a link in a message. */
export const onCall = ({ schedule, person, link }: Pick<Stored, 'schedule' | 'person' | 'link'>): readonly string[] => [
  '/alerts/on-call',
  '/alerts/on-call/new',
  `/alerts/on-call/${schedule}?days=31`,
  `/alerts/on-call/${schedule}/edit`,
  '/alerts/on-call/people',
  `/alerts/on-call/people/${person}`,
  link,
  '/ack/none',
]

function restOf(): readonly string[] {
  const at: Ids = { deviceId: 1, portId: 1, alertId: 1, serviceId: 1, billId: 1 }
  const listed = [
    ...[ADMINISTRATION, changing(at), watching(at), finding(at, { scan: 1, candidates: [1, 1, 1] })],
    ...[alerting({ alert: 1, faults: [1] }), onCall({ schedule: 1, person: 1, link: '/ack/1' })],
  ]
  const paths = PAGES.map(({ path }) => path)
  const covered = new Set(listed.flat().map((address) => pathOf(address.replace(/\?.*/, ''), paths)))
  return paths.filter((path) => !covered.has(path))
}

/** The path that an address opens: the address itself, or else the one whose parameters it fills. */
const pathOf = (address: string, paths: readonly string[]) =>
  paths.includes(address)
    ? address
    : paths.find((path) => new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}$`).test(address))

/** Paths of the table of pages that none of the lists above has, so that a new page is looked at without being named. */
export const REST: readonly string[] = restOf()
