import type { Command } from 'commander'
import { isZone } from '../../lib/zone-clock.ts'
import type { LoadComposition } from '../app.ts'
import { CliError, usage } from '../errors.ts'
import { print, printJson } from '../output.ts'

interface LibrenmsOptions {
  readonly database?: string
  readonly dump?: string
  readonly rrd?: string
  readonly rrdcached?: string
  readonly timezone?: string
  readonly dryRun?: true
  readonly rulesDisabled?: true
  readonly since?: string
  readonly syslogDays: string
  readonly eventDays: string
  readonly name?: string
  readonly json?: true
}

/** `portlight import librenms|csv|check`. */
export function registerImport(program: Command, load: LoadComposition): void {
  const group = program.command('import').description('import from another installation')
  group
    .command('librenms')
    .description('import a LibreNMS installation: its database, and its history from RRD files')
    .option(
      '--database <url>',
      'URL of its database: mysql://USER:PASSWORD@HOST/DATABASE, with ?socket=PATH for a Unix socket (the password may also be in MYSQL_PWD)',
    )
    .option('--dump <file>', 'output of mysqldump or mariadb-dump instead, also compressed (.gz, .zst)')
    .option('--rrd <folder>', 'folder of its RRD files; without it no history is imported')
    .option(
      '--rrdcached <address>',
      'address of its rrdcached, unix:PATH or HOST:PORT; each file is flushed before it is read',
    )
    .option(
      '--timezone <zone>',
      "time zone of the host's clock, such as Europe/Berlin (default: that of the database server)",
    )
    .option('--rules-disabled', 'let all alert rules arrive disabled; rule enable --all enables them')
    .option('--dry-run', 'read everything and report, but write nothing')
    .option('--since <time>', 'leave out older history: 2y, 6m, 30d or a date')
    .option('--syslog-days <days>', 'days of syslog messages to import', '0')
    .option('--event-days <days>', 'days of events to import', '30')
    .option('--name <name>', 'name of the installation in the journal (default: its host and database)')
    .option('--json', 'print the report as JSON')
    .action(async (options: LibrenmsOptions, command: Command) => {
      if ((options.database === undefined) === (options.dump === undefined))
        throw usage('give either --database or --dump')
      if (options.rrdcached !== undefined && options.rrd === undefined)
        throw usage('--rrdcached needs --rrd, the folder of its files')
      if (options.timezone !== undefined && !isZone(options.timezone))
        throw usage(
          `--timezone: there is no time zone ${options.timezone}: enter its name in the IANA database, for example Europe/Berlin`,
        )
      const sinceS = options.since === undefined ? 0 : sinceOf(options.since)
      const days = { alerts: 365, events: daysOf(options.eventDays), syslog: daysOf(options.syslogDays) }
      const [{ withServices }, { runLibrenms, tellServer }] = await Promise.all([
        import('../open.ts'),
        import('../import-librenms.ts'),
      ])
      await withServices(command, load, async ({ database, services }) => {
        const report = await runLibrenms(database.store, {
          database: options.database ?? null,
          dump: options.dump ?? null,
          rrd: options.rrd ?? null,
          rrdcached: options.rrdcached ?? null,
          zone: options.timezone ?? null,
          name: options.name ?? null,
          dryRun: options.dryRun === true,
          rulesDisabled: options.rulesDisabled === true,
          sinceS,
          logs: days,
        })
        if (options.dryRun !== true) {
          await services.secrets.complete()
          await tellServer(database.store)
        }
        if (options.json === true) printJson(report)
        else {
          const { describeImport } = await import('../import-report.ts')
          for (const line of describeImport(report)) print(line)
        }
        const refused = report.tables.some((table) => table.refused > 0)
        if (refused || report.checks.some(({ holds }) => !holds)) process.exitCode = 3
      })
    })
  group
    .command('csv')
    .description(
      'add devices from a CSV file with the columns hostname, snmpver, community, authlevel, authname, authpass, authalgo, cryptopass, cryptoalgo, port, transport, location, groups; exit code 1 if one could not be added',
    )
    .argument('<file>', 'CSV file with the column names in the first line; several groups are separated by ;')
    .option('--force', 'add without contacting the devices')
    .action(async (file: string, options: { force?: true }, command: Command) => {
      const [{ withServices }, { importCsv }] = await Promise.all([import('../open.ts'), import('../import-csv.ts')])
      const source = Bun.file(file)
      if (!(await source.exists())) throw new CliError(`there is no file ${file}`)
      const text = await source.text()
      const report = await withServices(command, load, ({ services }) =>
        importCsv(services, text, options.force === true),
      )
      print(`${report.added} added, ${report.present} already present, ${report.failed} failed`)
      if (report.failed > 0) process.exitCode = 1
    })
  group
    .command('check')
    .description(
      'compare devices, ports, sensors, groups, bills, rules and services between the APIs of LibreNMS and Portlight, and list what differs and what to do about it',
    )
    .requiredOption('--librenms <url>', 'address of LibreNMS')
    .requiredOption('--token-file <file>', 'file with an API token of LibreNMS')
    .option('--portlight <url>', 'address of Portlight', 'http://127.0.0.1:8000')
    .option(
      '--portlight-token-file <file>',
      'file with an API token of Portlight (default: the same token, which an import keeps)',
    )
    .option('--json', 'print the differences as JSON')
    .action(async (options: CheckOptions) => {
      const { compareApis, describeComparison } = await import('../import-check.ts')
      const token = await tokenOf(options.tokenFile)
      const own = options.portlightTokenFile === undefined ? token : await tokenOf(options.portlightTokenFile)
      const compared = await compareApis({ url: options.librenms, token }, { url: options.portlight, token: own })
      if (options.json === true) printJson(compared)
      else for (const line of describeComparison(compared)) print(line)
      if (compared.some(({ missing, different }) => missing.length + different.length > 0)) process.exitCode = 3
    })
}

interface CheckOptions {
  readonly librenms: string
  readonly tokenFile: string
  readonly portlight: string
  readonly portlightTokenFile?: string
  readonly json?: true
}

async function tokenOf(file: string): Promise<string> {
  const source = Bun.file(file)
  if (!(await source.exists())) throw new CliError(`there is no file ${file}`)
  return (await source.text()).trim()
}

function daysOf(text: string): number {
  if (!/^\d{1,5}$/.test(text)) throw usage(`expected a number of days, not ${text}`)
  return Number(text)
}

const UNITS: Readonly<Record<string, number>> = { y: 365.25, m: 30.4375, w: 7, d: 1 }

/** Epoch seconds. */
function sinceOf(text: string): number {
  const [, count, unit = ''] = /^(\d{1,5})([ymwd])$/.exec(text) ?? []
  const days = UNITS[unit]
  if (count !== undefined && days !== undefined) return Date.now() / 1000 - Number(count) * days * 86_400
  const date = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN
  if (Number.isNaN(date)) throw usage(`--since: expected 2y, 6m, 30d or a date such as 2024-01-31, not ${text}`)
  return date / 1000
}
