import type { Command } from 'commander'
import { describeProblem } from '../config/errors.ts'
import { createLog, type Log } from '../observe/log.ts'
import type { LoadComposition, Running } from './composition.ts'
import { projectDir, settingsOf, textOption } from './globals.ts'
import { print } from './output.ts'
import { VERSION } from './version.ts'

const SETTING_OPTIONS = { listen: 'listen', port: 'port', databaseListen: 'database_listen' } as const

/** Draining takes at most this long; what is not down by then is given up. */
const STOP_MS = 5000

/** Runs the server until SIGTERM or SIGINT, or until it fails. Resolves to the exit code. */
export async function serve(command: Command, load: LoadComposition): Promise<number> {
  // First of all, so that a signal during the start is not lost.
  const stopRequest = firstSignal()
  const options = command.opts<Readonly<Record<string, unknown>>>()
  const flags = Object.entries(SETTING_OPTIONS).flatMap(([option, setting]) => {
    const value = textOption(options, option)
    return value === undefined ? [] : [[setting, value] as const]
  })
  const startedAt = performance.now()
  const { settings, dataDir } = settingsOf(command, Object.fromEntries(flags))
  const log = createLog(settings.get('log.level'))
  for (const problem of settings.warnings) log.warn({ problem: describeProblem(problem) }, 'setting ignored')

  const { compose } = await load()
  const starting = compose({ settings, dataDir, log, demo: options['demo'] === true, version: VERSION })
  const early = await Promise.race([starting.then(() => null), stopRequest])
  if (early !== null) return (await stopped(starting, log)) ? 0 : 1
  const running = await starting
  print(greeting(running, { seconds: (performance.now() - startedAt) / 1000, dataFlag: dataFlag(command) }))
  const reason = await Promise.race([stopRequest.then((signal) => ({ signal })), failureOf(running)])
  if ('signal' in reason) log.info({ signal: reason.signal }, 'stopping')
  else log.error({ err: reason.error }, 'stopping after a failure')
  const clean = await stopped(starting, log)
  return 'signal' in reason && clean ? 0 : 1
}

/** Resolves at the first SIGTERM or SIGINT; the second ends the process at once. */
function firstSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let seen = false
    const handle = (signal: NodeJS.Signals) => {
      if (seen) process.exit(signal === 'SIGINT' ? 130 : 143)
      seen = true
      resolve(signal)
    }
    process.on('SIGTERM', handle).on('SIGINT', handle)
  })
}

function failureOf(running: Running): Promise<{ error: unknown }> {
  return running.failure.catch((error: unknown) => ({ error }))
}

/** Whether everything stopped in time. */
async function stopped(starting: Promise<Running>, log: Log): Promise<boolean> {
  const timeUp = Symbol()
  const { promise, resolve } = Promise.withResolvers<typeof timeUp>()
  const timer = setTimeout(resolve, STOP_MS, timeUp)
  const outcome = await Promise.race([starting.then((running) => running.stop()), promise])
  clearTimeout(timer)
  if (outcome === timeUp) log.error({ limitMs: STOP_MS }, 'not everything stopped in time')
  return outcome !== timeUp
}

/** Repeats the options that commands need to find the same data. */
function dataFlag(command: Command): string {
  const options = command.optsWithGlobals<Readonly<Record<string, unknown>>>()
  const flags = [['--data-dir', 'dataDir'] as const, ['--config', 'config'] as const].flatMap(([flag, name]) => {
    const value = textOption(options, name)
    return value === undefined
      ? []
      : [` ${flag} ${/^[\w./:@-]+$/.test(value) ? value : `'${value.replaceAll("'", "'\\''")}'`}`]
  })
  return flags.join('')
}

/** What a person needs to go on. */
function greeting(running: Running, { seconds, dataFlag }: { seconds: number; dataFlag: string }): string {
  const program = projectDir === null ? 'portlight' : './portlight'
  const lines = [`Portlight ${VERSION} is ready at ${running.url} after ${seconds.toFixed(1)} s`, '']
  if (running.adminPassword !== null) {
    lines.push(`  First start: user admin, password ${running.adminPassword} (shown this once)`, '')
  }
  lines.push(
    `  Add a device:  ${program} device add 192.0.2.1 --community public${dataFlag}`,
    `  Make a token:  ${program} token create --user admin --description first${dataFlag}`,
    `  Use it:        curl -H "X-Auth-Token: TOKEN" ${running.url}/api/v0/devices`,
    '',
  )
  return lines.join('\n')
}
