/**
 * Blocks that are not run here, each with its reason. A block is named by its page and the beginning of its first
 * command, so that lines may move.
 */
export const LEFT: readonly { readonly page: string; readonly begins: string; readonly reason: string }[] = [
  {
    page: 'CONTRIBUTING.md',
    begins: 'git clone',
    reason: 'tests/cli/launcher.test.ts starts the program of a fresh copy',
  },
  { page: 'CONTRIBUTING.md', begins: 'ln -s', reason: 'changes a folder of whoever runs it' },
  { page: 'CONTRIBUTING.md', begins: 'bun run check', reason: 'these are the checks and the tests themselves' },
  { page: 'README.md', begins: './portlight test', reason: 'these are the tests themselves' },
  { page: 'README.md', begins: 'chmod +x portlight-', reason: 'tests/release starts the compiled program' },
  { page: 'docs/how-to/install.md', begins: 'sha256sum', reason: 'tests/release starts the compiled program' },
  {
    page: 'docs/how-to/install.md',
    begins: 'git clone',
    reason: 'tests/cli/launcher.test.ts starts the program of a fresh copy',
  },
  {
    page: 'docs/how-to/install.md',
    begins: './portlight systemd',
    reason: 'tests/release/systemd.test.ts installs the service',
  },
  { page: 'docs/how-to/install.md', begins: 'docker', reason: 'needs Docker' },
  {
    page: 'docs/how-to/install.md',
    begins: 'cd deploy',
    reason: 'needs Docker; tests/grafana/compose.test.ts reads the file',
  },
  { page: 'docs/how-to/containers.md', begins: 'docker', reason: 'needs Docker' },
  {
    page: 'docs/how-to/install.md',
    begins: 'kubectl',
    reason: 'needs a Kubernetes cluster; tests/release/helm.test.ts reads the chart',
  },
  {
    page: 'docs/how-to/systemd.md',
    begins: './portlight systemd',
    reason: 'tests/release/systemd.test.ts installs the service',
  },
  {
    page: 'docs/how-to/backup.md',
    begins: 'systemctl',
    reason: 'needs systemd; tests/release/systemd.test.ts reads the units',
  },
  { page: 'docs/how-to/release.md', begins: 'minisign', reason: 'needs the key of releases' },
  { page: 'docs/how-to/monitor-portlight.md', begins: 'promtool', reason: 'needs Prometheus' },
  {
    page: 'docs/how-to/upgrade.md',
    begins: 'portlight serve',
    reason: 'needs an older PostgreSQL; tests/cli and tests/older-postgres upgrade one',
  },
  {
    page: 'docs/how-to/backup.md',
    begins: 'psql',
    reason: 'tests/core/backup/archiving.test.ts archives and recovers',
  },
  {
    page: 'docs/how-to/backup.md',
    begins: 'mkdir -p NEW',
    reason: 'tests/core/backup/archiving.test.ts archives and recovers',
  },
  {
    page: 'docs/how-to/cluster.md',
    begins: 'portlight serve',
    reason: 'tests/e2e/cluster.test.ts runs processes with roles',
  },
  {
    page: 'docs/how-to/database-size.md',
    begins: 'portlight database',
    reason: 'its figures are of weeks; tests/cli/database.test.ts reads what it prints',
  },
  {
    page: 'docs/how-to/demo.md',
    begins: './portlight serve --demo',
    reason: 'a day of 19 devices; tests/demo/demonstration.test.ts stores it',
  },
  {
    page: 'docs/how-to/demo.md',
    begins: './portlight demo remove',
    reason: 'tests/demo/demonstration.test.ts removes the demonstration',
  },
  {
    page: 'docs/how-to/demo.md',
    begins: 'snmpget -v2c',
    reason: 'asks the demo; tests/demo/network.test.ts and walk.test.ts ask its agents',
  },
  {
    page: 'docs/how-to/demo.md',
    begins: './portlight candidate',
    reason: 'its scan takes minutes; docs/how-to/found-devices.md is run',
  },
  {
    page: 'docs/how-to/find-devices.md',
    begins: 'portlight config set autodiscovery.networks \'{"10.60',
    reason: 'tests/e2e/site-scan.test.ts scans at a site',
  },
  {
    page: 'docs/how-to/https.md',
    begins: 'systemctl reload',
    reason: 'needs systemd; tests/e2e/tls.test.ts renews a certificate',
  },
  {
    page: 'docs/how-to/migrate.md',
    begins: 'portlight import librenms',
    reason: 'needs a LibreNMS; tests/core/import imports its database',
  },
  {
    page: 'docs/how-to/migrate.md',
    begins: 'portlight import check',
    reason: 'needs a LibreNMS; tests/cli/import-check.test.ts compares two',
  },
  {
    page: 'docs/reference/bills.md',
    begins: 'portlight bill explain',
    reason: 'its figures are of a month; tests/core/bills/explain.test.ts compares them',
  },
  {
    page: 'docs/how-to/remote-sites.md',
    begins: 'portlight serve --role remote-poller',
    reason: 'needs NATS servers; tests/e2e/remote-sites.test.ts runs a site',
  },
]
