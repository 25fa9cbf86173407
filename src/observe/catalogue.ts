import type { Declarations } from './catalogue/declare.ts'
import { BACKUP, CLUSTER, DATABASE, PROCESS, REPLICA, STORAGE } from './catalogue/machine.ts'
import { BUFFERS, POLLING, SNMP, WORKERS } from './catalogue/polling.ts'
import { ALERTING, CHECKS, LISTENERS, SERVING } from './catalogue/serving.ts'
import { SITES } from './catalogue/sites.ts'

const ALL = {
  ...POLLING,
  ...BUFFERS,
  ...WORKERS,
  ...SNMP,
  ...DATABASE,
  ...STORAGE,
  ...ALERTING,
  ...CHECKS,
  ...LISTENERS,
  ...SERVING,
  ...CLUSTER,
  ...REPLICA,
  ...SITES,
  ...BACKUP,
  ...PROCESS,
} as const

/** Name of a declared metric. */
export type MetricName = keyof typeof ALL

/** Every metric of `/metrics`. */
export const CATALOGUE: Readonly<Record<MetricName, Declarations[string]>> = ALL

export function isMetricName(name: string): name is MetricName {
  return Object.hasOwn(ALL, name)
}

/** The metrics in the order of the reference. */
export const SECTIONS: readonly { readonly title: string; readonly metrics: Declarations }[] = [
  { title: 'Polling', metrics: POLLING },
  { title: 'Writes waiting for the database', metrics: BUFFERS },
  { title: 'Worker threads', metrics: WORKERS },
  { title: 'SNMP transport', metrics: SNMP },
  { title: 'Database', metrics: { ...DATABASE, ...STORAGE } },
  { title: 'Alerts and notifications', metrics: ALERTING },
  { title: 'Service checks', metrics: CHECKS },
  { title: 'Syslog and traps', metrics: LISTENERS },
  { title: 'API and pages', metrics: SERVING },
  { title: 'Cluster', metrics: { ...CLUSTER, ...REPLICA } },
  { title: 'Backups', metrics: BACKUP },
  { title: 'Remote pollers', metrics: SITES },
  { title: 'Process and machine', metrics: PROCESS },
]
