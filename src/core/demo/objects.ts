/** A rule of the demo. */
export interface DemoRule {
  readonly name: string
  readonly about: string
  readonly severity: 'warning' | 'critical'
  /** Seconds. */
  readonly delay: number
  /** All of them must hold: field, operator, value. */
  readonly when: readonly (readonly [field: string, operator: string, value: string])[]
}

/** The demo's group with all its devices, to which its rules are limited, and one to look at. */
export const DEMO_GROUP = 'Demo: all devices'
export const SWITCH_GROUP = 'Demo: access switches'
export const SWITCHES: readonly string[] = ['access-1', 'access-2', 'access-3', 'warehouse-1']

/** Rules of the demo's stories, besides the initial ones. */
export const DEMO_RULES: readonly DemoRule[] = [
  {
    name: 'Demo: link over 90 %',
    about: 'a port carries more than 90 % of its speed in one direction',
    ...{ severity: 'warning', delay: 60 },
    when: [
      ['macros.port_usage_perc', 'greater_or_equal', '90'],
      ['macros.port_up', 'equal', '1'],
    ],
  },
  {
    name: 'Demo: log disk over 90 %',
    about: 'a file system for logs is more than 90 % full; a video recorder is, on purpose',
    ...{ severity: 'warning', delay: 0 },
    when: [
      ['storage.storage_perc', 'greater_or_equal', '90'],
      ['storage.storage_descr', 'equal', '/var/log'],
      ['macros.device_up', 'equal', '1'],
    ],
  },
  {
    name: 'Demo: certificate ends soon',
    about: 'the check of a web site warns, which it does a week before its certificate ends',
    ...{ severity: 'warning', delay: 0 },
    when: [
      ['services.service_status', 'equal', '1'],
      ['services.service_type', 'equal', 'https'],
    ],
  },
  {
    name: 'Demo: bill over its commit',
    about: 'the 95th percentile of a bill is above the committed rate',
    ...{ severity: 'warning', delay: 0 },
    when: [['macros.bill_cdr_over_quota', 'greater_or_equal', '100']],
  },
  {
    name: 'Demo: station moved',
    about: 'a MAC address left one edge port for another in the last quarter of an hour',
    ...{ severity: 'warning', delay: 0 },
    when: [['mac_moves.moved_at', 'greater_or_equal', '`macros.past_15m`']],
  },
]

/** The demo's bill: transit from provider A. */
export const DEMO_BILL = {
  bill_name: 'Demo: transit, provider A',
  bill_type: 'cdr',
  bill_cdr: 800_000_000,
  bill_day: 1,
  bill_quota: 0,
  bill_custid: '',
  bill_ref: 'A-20417',
  bill_notes: 'Commit 800 Mbit/s, 95th percentile',
} as const
export const BILLED = { device: 'edge-1', port: 'xe-0/0/0' } as const

/** The demo's maintenance windows: one that began with the demo, and one that returns every Sunday. */
export const NOW_WINDOW = { title: 'Demo: line card exchange', device: 'pe-1', hours: 2 } as const
export const SUNDAY_WINDOW = { title: 'Demo: firmware of the access switches', start: '02:00', hours: 3 } as const
export const DEMO_WINDOWS: readonly string[] = [NOW_WINDOW.title, SUNDAY_WINDOW.title]

/** The demo's service, a web site with TLS. */
export const DEMO_SITE = {
  device: 'web-1',
  type: 'https',
  name: 'Demo: www.demo.example',
  /** Parameters of the check: the port, and the days before the certificate's end when it warns and is critical. */
  param: (port: number) => `-p ${port} -H www.demo.example -C 7,2`,
} as const
