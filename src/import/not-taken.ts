import type { NotTaken } from './report.ts'

/** Why tables of an installation are not taken, by the beginning of their names; the first that fits counts. */
const REASONS: readonly (readonly [why: string, names: readonly string[]])[] = [
  [
    'polls make them anew',
    ['device_stats', 'device_perf', 'ports_statistics', 'device_graphs', 'bill_port_counters', 'device_mempool'],
  ],
  [
    'pages of the program',
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
  ['of processes that end with the installation', ['poller', 'dbschema', 'locks']],
  ['its secrets are stored as digests that no client can use here: make new ones', ['personal_access_tokens']],
  [
    'there is no such thing here',
    [
      'applications',
      'application_metrics',
      'customoids',
      'slas',
      'qos',
      'stp',
      'ports_stp',
      'isis_adjacencies',
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
      'ports_adsl',
      'ports_vdsl',
      'tnmsneinfo',
      'vrf_lite_cisco',
      'ospf_',
      'mpls_',
      'ssl_certificates',
    ],
  ],
]

/** The reason for each table. */
export function notTaken(tables: readonly string[]): readonly NotTaken[] {
  return tables.map((table) => {
    const lower = table.toLowerCase()
    const reason = REASONS.find(([, names]) => names.some((name) => lower.startsWith(name.toLowerCase())))
    return { table, why: reason?.[0] ?? 'not known here' }
  })
}
