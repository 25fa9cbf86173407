import type { Command } from 'commander'
import { describeProblem } from '../config/errors.ts'
import { createLog, type Log } from '../observe/log.ts'
import type { LoadComposition, Running, RunningDemo } from './app.ts'
import { builtFrom } from './build-info.ts'
import { settingsOf, textOption } from './globals.ts'
import { givenFlags, programName } from './invocation.ts'
import { tryPrint } from './output.ts'
import { requireDefinitions } from './own-definitions.ts'
import { signInAt } from './running-server.ts'
import { VERSION } from './version.ts'

const SETTING_OPTIONS = { role: 'role', listen: 'listen', port: 'port', databaseListen: 'database_listen' } as const

/** Time limit for stopping. Docker kills after 10 s. */
const STOP_MS = 9000

/**
 * Runs the server until SIGTERM or SIGINT, or until it fails. A second signal stops without waiting, a third ends the
 * process immediately. Resolves to the exit code.
 */
export async function serve(command: Command, load: LoadComposition): Promise<number> {
  // Before anything else, so that a signal during startup is not lost.
  const signals = listenForSignals()
  const stopRequest = signals.first
  const options = command.opts<Readonly<Record<string, unknown>>>()
  const flags = Object.entries(SETTING_OPTIONS).flatMap(([option, setting]) => {
    const value = textOption(options, option)
    return value === undefined ? [] : [[setting, value] as const]
  })
  const startedAt = performance.now()
  const { settings, dataDir } = settingsOf(command, Object.fromEntries(flags))
  const log = createLog(settings.get('log.level'), settings.get('log.format'))
  for (const problem of settings.warnings) log.warn({ problem: describeProblem(problem) }, 'setting ignored')

  const remote = settings.get('role').includes('remote-poller')
  requireDefinitions()
  const composition = await load()
  const starting = (remote ? composition.composeRemotePoller : composition.compose)({
    settings,
    dataDir,
    log,
    demo: options['demo'] === true,
    demoProgress,
    version: VERSION,
    build: builtFrom(),
  })
  const early = await Promise.race([starting.then(() => null), stopRequest])
  // a start that fails because it was interrupted is no failure
  if (early !== null) return (await stopped(starting, log).catch(() => true)) ? 0 : 1
  const running = await starting
  signals.onSecond(() => {
    log.warn('second signal: stopping immediately')
    running.hurry()
  })
  const text = remote
    ? remoteGreeting(running)
    : greeting(running, {
        seconds: (performance.now() - startedAt) / 1000,
        dataFlag: givenFlags(command, settings),
        urlFrom: settings.origin('database_url') === 'environment' ? urlVariable() : null,
      })
  if (!tryPrint(text)) log.warn('stdout is closed: the startup message could not be shown')
  if (running.demo !== null) void announceDemo(running.demo, running.url)
  const reason = await Promise.race([stopRequest.then((signal) => ({ signal })), failureOf(running)])
  if ('signal' in reason) log.info({ signal: reason.signal }, 'stopping')
  else log.error({ err: reason.error }, 'stopping after a failure')
  const clean = await stopped(starting, log)
  return 'signal' in reason && clean ? 0 : 1
}

interface Signals {
  /** Resolves at the first SIGTERM or SIGINT. */
  readonly first: Promise<NodeJS.Signals>
  /** Sets the action for the second signal. Without one it ends the process, as the third always does. */
  onSecond(action: () => void): void
}

function listenForSignals(): Signals {
  const { promise, resolve } = Promise.withResolvers<NodeJS.Signals>()
  let seen = 0
  let hurry: (() => void) | null = null
  const handle = (signal: NodeJS.Signals) => {
    seen++
    if (seen === 1) resolve(signal)
    else if (seen === 2 && hurry !== null) hurry()
    else process.exit(signal === 'SIGINT' ? 130 : 143)
  }
  process.on('SIGTERM', handle).on('SIGINT', handle)
  return {
    first: promise,
    onSecond(action) {
      hurry = action
    },
  }
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

/** The variable of the environment that names the database, or a file with its URL. */
const urlVariable = (): string =>
  ['PORTLIGHT_DATABASE_URL', 'PORTLIGHT_DATABASE_URL_FILE', 'DATABASE_URL', 'DATABASE_URL_FILE'].find(
    (name) => (process.env[name] ?? '') !== '',
  ) ?? 'DATABASE_URL'

/** The startup message: how to sign in and what to do next. */
function greeting(
  running: Running,
  { seconds, dataFlag, urlFrom }: { seconds: number; dataFlag: string; urlFrom: string | null },
): string {
  const program = programName()
  const lines = [`Portlight ${VERSION} is ready at ${running.url} after ${seconds.toFixed(1)} s`, '']
  if (!running.roles.includes('api')) {
    lines.push(
      `  ${running.name}: ${running.roles.join(', ')}; no API here, only ${running.url}/metrics, /healthz and /readyz`,
      '',
    )
    return lines.join('\n')
  }
  if (running.adminPassword !== null) {
    lines.push(
      `  First start: user admin, password ${running.adminPassword} (shown only once)`,
      `  Sign in:       ${signInAt(running.url)}`,
      `  Lost it?       ${program} user reset-password admin${dataFlag}`,
      '',
    )
  }
  if (running.initialRules.length > 0) {
    lines.push(
      `  Alert rules:   ${running.initialRules.join(', ')}`,
      `  More of them:  ${program} rule presets${dataFlag}`,
      '',
    )
  }
  if (running.demo !== null) lines.push(...demoGreeting(running.demo, { program, dataFlag }))
  if (urlFrom !== null)
    lines.push(`  In another terminal, set ${urlFrom} first: these commands find the database by it`, '')
  lines.push(
    `  Add a device:  ${program} device add 192.0.2.1 --community public${dataFlag}`,
    `  Make a token:  ${program} token create --user admin --description first${dataFlag}`,
    `  Use it:        curl -H "X-Auth-Token: TOKEN" ${running.url}/api/v0/devices`,
    '',
  )
  return lines.join('\n')
}

/** The startup message of a remote poller, which has no pages to sign in to. */
function remoteGreeting({ url }: Running): string {
  return `Portlight ${VERSION} runs as a remote poller; see ${url}/readyz for whether it polls and /metrics for details\n`
}

/** How to access and remove the demo. */
function demoGreeting(
  { token, devices, others }: RunningDemo,
  { program, dataFlag }: { program: string; dataFlag: string },
): string[] {
  const access =
    token === null
      ? 'no token is printed, because the API listens beyond loopback'
      : `token ${token} (reads everything, changes nothing)`
  return [
    `  Demo:          ${devices} simulated devices; ${access}`,
    ...(others ? ['  Next to it:    your own devices, which the demo does not touch'] : []),
    `  Stories:       what happens in it, page by page, is in the help: /help/stories/index`,
    `  Remove it:     ${program} demo remove${dataFlag}`,
    '',
  ]
}

/** Prints progress while the demo history is stored. */
function demoProgress(done: number, devices: number): void {
  if (done < devices && done % 5 === 0) tryPrint(`  Demo history:  ${done} of ${devices} devices`)
}

/**
 * Prints the URL of a graph as soon as it has data, and then what was stored. The token is in the query because
 * browsers send no token header.
 */
async function announceDemo({ graph, graphReady, token, history }: RunningDemo, url: string): Promise<void> {
  if (await graphReady) tryPrint(`  A graph:       ${url}${graph}&api_token=${token ?? 'TOKEN'}`)
  const { devices, samples, seconds } = await history
  if (devices === 0) return
  const stored = `${samples.toLocaleString('en')} samples, stored in ${seconds.toFixed(1)} s`
  tryPrint(`  Demo history:  24 hours of ${devices} devices, ${stored}\n`)
}
