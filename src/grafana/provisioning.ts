import { compileDashboard, DATA_SOURCE } from './compile.ts'
import { device, fleet } from './dashboards/fleet.ts'
import { bgp, sensors, wireless } from './dashboards/health.ts'
import { availability, bills, poller } from './dashboards/operation.ts'
import { self } from './dashboards/self.ts'
import { errors, port, topTalkers } from './dashboards/traffic.ts'
import type { Dashboard } from './description.ts'
import { compileMetricsDashboard, type MetricsDashboard } from './metrics-dashboard.ts'

/** Every dashboard. */
export const DASHBOARDS: readonly Dashboard[] = [
  fleet,
  device,
  port,
  topTalkers,
  errors,
  sensors,
  bgp,
  wireless,
  availability,
  bills,
  poller,
]

/** Dashboards of `/metrics`, for a Grafana that has Prometheus as a data source. */
export const METRICS_DASHBOARDS: readonly MetricsDashboard[] = [self]

/**
 * Files for the provisioning folder of Grafana: text by path. `portlight`: URL of the API, for links to its graphs. The
 * data source reads its address, user and password from Grafana's environment, so that no file contains a secret.
 */
export function provisioningFiles(portlight: string): ReadonlyMap<string, string> {
  const written = [
    ...DASHBOARDS.map((dashboard) => [dashboard.name, compileDashboard(dashboard, portlight)] as const),
    ...METRICS_DASHBOARDS.map((dashboard) => [dashboard.name, compileMetricsDashboard(dashboard)] as const),
  ]
  const dashboards = written.map(
    ([name, json]) => [`dashboards/portlight/${name}.json`, `${JSON.stringify(json, null, 2)}\n`] as const,
  )
  return new Map([
    ['datasources/portlight.yaml', DATA_SOURCES],
    ['dashboards/portlight.yaml', PROVIDERS],
    ...dashboards,
  ])
}

const HEAD = '# Written by `portlight grafana dashboards`: change src/grafana, not this file.\n'

const DATA_SOURCES = `${HEAD}# From the environment of Grafana: the parts of the URL that \`portlight grafana credentials\` prints.
apiVersion: 1
datasources:
  - name: Portlight
    uid: ${DATA_SOURCE.uid}
    type: ${DATA_SOURCE.type}
    access: proxy
    isDefault: true
    url: $PORTLIGHT_DATABASE_ADDRESS
    user: $PORTLIGHT_DATABASE_USER
    jsonData:
      database: $PORTLIGHT_DATABASE_NAME
      sslmode: $PORTLIGHT_DATABASE_SSLMODE
      postgresVersion: 1500
      # Its time_bucket() is not used.
      timescaledb: false
      maxOpenConns: 10
      maxIdleConns: 2
      connMaxLifetime: 3600
    secureJsonData:
      password: $PORTLIGHT_DATABASE_PASSWORD
`

const PROVIDERS = `${HEAD}apiVersion: 1
providers:
  - name: portlight
    folder: Portlight
    type: file
    allowUiUpdates: true
    updateIntervalSeconds: 60
    options:
      path: /etc/grafana/provisioning/dashboards/portlight
`
