/** The kind of object that the id in a path identifies, if not a device. */
const TABLES: readonly (readonly [string, string])[] = [
  ['/alerts/operations/', 'alert_operations'],
  ['/alerts/rules/', 'alert_rules'],
  ['/alerts/on-call/people/', 'users'],
  ['/alerts/on-call/', 'on_call_schedules'],
  ['/alerts/', 'alerts'],
  ['/faults/', 'faults'],
  ['/groups/ports/', 'port_groups'],
  ['/groups/', 'device_groups'],
  ['/services/', 'services'],
  ['/bills/', 'bills'],
  ['/bgp/', 'bgpPeers'],
  ['/scans/', 'scans'],
  ['/port/', 'ports'],
]

/** The address of a page, as its path is in the table of pages, about these objects and this user. */
export function addressOf(path: string, ids: ReadonlyMap<string, number>, userId: number): string {
  const table = TABLES.find(([prefix]) => path.startsWith(prefix))?.[1] ?? 'devices'
  return path
    .replace(':id', String(table === 'users' ? userId : (ids.get(table) ?? 0)))
    .replace(':mac', '4c14a3010203')
    .replace(':section/:name', 'how-to/alerts')
}
