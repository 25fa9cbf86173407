import { readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism, loadavg, release, totalmem } from 'node:os'
import { join } from 'node:path'
import type { Command } from 'commander'
import { SYSTEM } from '../../core/base/actor.ts'
import { createScrub } from '../../lib/scrub.ts'
import { DEMO_TOKEN_FILE, type LoadComposition } from '../app.ts'
import { CliError } from '../errors.ts'
import { examine } from '../examine.ts'
import type { Finding } from '../finding.ts'
import { settingsOf } from '../globals.ts'
import { type CommandContext, withServices } from '../open.ts'
import { askServer } from '../running-server.ts'
import { VERSION } from '../version.ts'
import { firstPasswords, recentLog } from './recent-log.ts'
import { environmentSecrets, ordinary } from './secrets.ts'

export interface BundleOptions {
  /** How many devices to explain. */
  readonly devices: number
  /** File with the log; undefined: the journal of systemd. */
  readonly log: string | undefined
}

/** Texts by file name. */
type Files = Record<string, string>

const README = `This is a support bundle of Portlight, made by \`portlight doctor --bundle\`.

Secrets are removed: communities, passwords, tokens, keys, settings of transports and the password of the database are
replaced by ********. devices.json and log.txt contain names and addresses of your devices: review them before you share
this file.

  about.json      versions, machine, memory
  settings.json   effective settings and where they come from
  findings.json   output of portlight doctor
  metrics.txt     metrics of the running server
  log.txt         the last lines of its log
  database.json   version, sizes of tables, statements
  devices.json    output of portlight device explain for some devices, those with failures first
  missing.json    what could not be collected, and why
`

/** Collects what helps to find a problem, without secrets. Parts that cannot be collected are named in missing.json. */
export async function collectBundle(command: Command, load: LoadComposition, options: BundleOptions): Promise<Files> {
  const { settings, dataDir } = settingsOf(command)
  const files: Files = { 'README.txt': README }
  const missing: Record<string, string> = {}
  const findings: Finding[] = await examine(command, load)
  // Log and settings are left out if the secrets in the database are unknown, because they could not be scrubbed.
  const { secrets, parts } = await withServices(command, load, async (context) => ({
    secrets: await context.services.support.secrets(),
    parts: await fromDatabase(context, options.devices),
  })).catch((error: unknown) => {
    missing['database.json, devices.json'] = reasonOf(error)
    return { secrets: null, parts: {} as Files }
  })
  Object.assign(files, parts)
  files['findings.json'] = json(findings)
  files['about.json'] = json(about())
  const { answer, at } = await askServer(settings, 'metrics')
  if (answer?.ok === true) files['metrics.txt'] = answer.text
  else missing['metrics.txt'] = `no server answers at ${at}`
  if (secrets === null) {
    missing['log.txt, settings.json'] = 'left out, because the secrets to remove could not be read from the database'
  } else {
    const log = await recentLog(options.log)
    if (log.kind === 'found') files['log.txt'] = log.text
    else missing['log.txt'] = log.reason
  }
  files['missing.json'] = json(missing)
  const known = [
    ...(secrets ?? []),
    ...firstPasswords(files['log.txt'] ?? ''),
    ...environmentSecrets(process.env),
    ...ownFiles(dataDir),
  ]
  const scrub = createScrub(known.filter((secret) => !ordinary(secret)))
  return Object.fromEntries(Object.entries(files).map(([name, text]) => [name, scrub(text)]))
}

/** Writes the files as a gzipped tar archive that only this user can read. Throws CliError. */
export async function writeBundle(path: string, files: Files): Promise<void> {
  const archive = new Bun.Archive(
    Object.fromEntries(Object.entries(files).map(([name, text]) => [join('portlight-support', name), text])),
  )
  try {
    writeFileSync(path, Bun.gzipSync(await archive.bytes()), { mode: 0o600 })
  } catch (error) {
    throw new CliError(`${path} cannot be written: ${reasonOf(error)}`)
  }
}

async function fromDatabase({ services }: CommandContext, count: number): Promise<Files> {
  const ids = await services.support.devices(count)
  // Without contacting them, because a support bundle is often made while much of the network is down.
  const devices = await Promise.all(ids.map((id) => services.devices.explain(SYSTEM, String(id), { live: false })))
  return {
    'settings.json': json(services.settings.list().map(({ name, value, origin }) => ({ name, value, origin }))),
    'database.json': json({
      ...(await services.support.database()),
      series: await services.system.series(),
      listeners: await services.system.listeners(),
    }),
    'devices.json': json(devices),
  }
}

function about(): unknown {
  return {
    version: VERSION,
    bun: Bun.version,
    platform: process.platform,
    architecture: process.arch,
    kernel: release(),
    cores: availableParallelism(),
    memoryMiB: Math.round(totalmem() / 1024 / 1024),
    load: loadavg(),
    made: new Date().toISOString(),
    timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    // only names, because values may be secrets
    variables: Object.keys(process.env).filter((name) =>
      /^(PORTLIGHT_|PG|DATABASE_URL(?:_FILE)?$|TZ$|LANG$|LC_)/.test(name),
    ),
  }
}

/** Secrets in files of the data folder: the token of the demo. */
function ownFiles(dataDir: string): string[] {
  try {
    return [readFileSync(join(dataDir, DEMO_TOKEN_FILE), 'utf8').trim()]
  } catch {
    return []
  }
}

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`
const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
