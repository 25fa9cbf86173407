import type { NotTaken } from './report.ts'

/** Why tables of an installation are not imported, by the beginning of their names; the first match counts. */
const REASONS: readonly (readonly [why: string, names: readonly string[]])[] = [
  [
    'polls create it again',
    ['device_stats', 'device_perf', 'ports_statistics', 'device_graphs', 'bill_port_counters', 'device_mempool'],
  ],
  ['discovery creates it again', ['stp', 'ports_stp', 'isis_adjacencies', 'qos', 'slas', 'ports_adsl', 'ports_vdsl']],
  [
    'belongs to pages of LibreNMS',
    [
      'dashboards',
      'users_widgets',
      'widgets',
      'custom_map',
      'plugins',
      'graph_types',
      'notifications',
      'push_subscriptions',
      'cache',
      'session',
      'callback',
      'vendor_ouis',
      'pdb_ix',
      'customers',
      'service_templates',
      'jobs',
      'failed_jobs',
    ],
  ],
  ['belongs to processes of LibreNMS', ['poller', 'dbschema', 'locks']],
  ['its secrets are stored as digests that no client can use here: create new tokens', ['personal_access_tokens']],
  [
    'has no counterpart here',
    [
      'applications',
      'application_metrics',
      'customoids',
      'mac_accounting',
      'mefinfo',
      'pseudowires',
      'cef_switching',
      'vminfo',
      'proxmox',
      'packages',
      'processes',
      'munin_',
      'netscaler_vservers',
      'loadbalancer_',
      'access_points',
      'hrDevice',
      'hrSystem',
      'entityState',
      'entPhysical_state',
      'route',
      'ucd_diskio',
      'juniAtmVp',
      'tnmsneinfo',
      'vrf_lite_cisco',
      'ospf_',
      'mpls_',
      'ssl_certificates',
    ],
  ],
]

/** The tables with the reason for each. */
export function notTaken(tables: readonly string[]): readonly NotTaken[] {
  return tables.map((table) => {
    const lower = table.toLowerCase()
    const reason = REASONS.find(([, names]) => names.some((name) => lower.startsWith(name.toLowerCase())))
    return { table, why: reason?.[0] ?? 'unknown here' }
  })
}
