import { spawn } from 'node:child_process'
import { realpath } from 'node:fs/promises'
import { dirname } from 'node:path'
import { oneLine } from '../../../../lib/one-line.ts'
import { cut } from '../format.ts'
import { kind } from '../kind.ts'
import type { AlertNotification, Delivery } from '../notification.ts'
import type { SendDeps } from '../resolve.ts'
import { webhookBody } from '../webhook-body.ts'

/** EX_TEMPFAIL of sysexits.h: try again. */
const TEMPFAIL = 75
const MAX_VALUE = 1000

/** Runs a program without a shell, with the arguments as given, JSON on stdin and a few environment variables. */
export const script = kind({
  name: 'script',
  title: 'Script',
  about:
    'Runs a program in one of the folders in setting alert.script_dirs. It gets the notification on stdin, as the same JSON as a webhook. Exit code 0: delivered; 75: try again later; any other: refused.',
  fields: {
    path: { type: 'text', required: true, pattern: /^\//, example: 'an absolute path', about: 'Path of the program.' },
    arguments: { type: 'list', about: 'Arguments of the program, passed as they are, without a shell.' },
    timeout: { type: 'integer', default: 30, min: 1, max: 300, about: 'Seconds after which the program is killed.' },
  },
  deadlineMs: 310_000,
  async send(notification, { path, arguments: args, timeout }, deps) {
    const folders = deps.settings.get('alert.script_dirs')
    if (folders.length === 0)
      return { kind: 'refused', reason: 'scripts are not allowed, see setting alert.script_dirs' }
    const file = await allowedFile(path, folders)
    if (file === null)
      return { kind: 'refused', reason: 'the program is not in one of the folders in setting alert.script_dirs' }
    const outcome = await run(file, args, notification, timeout * 1000, deps)
    const ended = outcome.kind === 'delivered' ? 'the program ended with exit code 0' : outcome.reason
    deps.note?.([file, ...args, '', JSON.stringify(webhookBody(notification))].join('\n'), ended)
    return outcome
  },
})

/** The path with symlinks resolved, if the program is directly in one of the folders, else null. */
async function allowedFile(path: string, folders: readonly string[]): Promise<string | null> {
  try {
    const file = await realpath(path)
    const real = await Promise.all(folders.map((folder) => realpath(folder).catch(() => null)))
    return real.includes(dirname(file)) ? file : null
  } catch {
    return null
  }
}

/** The environment of scripts. Only PATH and LANG are passed on from ours, because it may contain secrets. */
function environment({ key, kind: what, severity, state, title, device, rule, alertId }: AlertNotification) {
  const values = {
    PATH: process.env['PATH'] ?? '/usr/bin:/bin',
    LANG: process.env['LANG'] ?? 'C.UTF-8',
    PORTLIGHT_KEY: key,
    PORTLIGHT_KIND: what,
    PORTLIGHT_SEVERITY: severity,
    PORTLIGHT_STATE: String(state),
    PORTLIGHT_TITLE: title,
    PORTLIGHT_HOSTNAME: device.hostname,
    PORTLIGHT_RULE: rule.name,
    PORTLIGHT_ALERT: String(alertId),
  }
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, cut(oneLine(value), MAX_VALUE)]))
}

function run(
  file: string,
  args: readonly string[],
  notification: AlertNotification,
  timeoutMs: number,
  { signal }: SendDeps,
): Promise<Delivery> {
  const { promise, resolve } = Promise.withResolvers<Delivery>()
  // in its own process group, so that its children are killed with it; output is discarded, so it cannot fill a pipe
  const child = spawn(file, [...args], {
    cwd: '/',
    env: environment(notification),
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
    shell: false,
  })
  const kill = (): void => {
    if (child.pid === undefined) return
    try {
      process.kill(-child.pid, 'SIGKILL')
    } catch {
      // has ended
    }
  }
  const timer = setTimeout(() => {
    kill()
    resolve({ kind: 'retry', reason: `the program was killed after ${timeoutMs / 1000} s` })
  }, timeoutMs)
  signal.addEventListener('abort', kill, { once: true })
  child.on('error', (error) => {
    const code = 'code' in error ? String(error.code) : 'error'
    resolve({ kind: 'refused', reason: `the program cannot be started: ${code}` })
  })
  child.on('exit', (code, by) => {
    if (code === 0) resolve({ kind: 'delivered' })
    else if (code === TEMPFAIL) resolve({ kind: 'retry', reason: 'the program asked for another attempt' })
    else if (code === null) resolve({ kind: 'retry', reason: `the program was killed by ${by}` })
    else resolve({ kind: 'refused', reason: `the program ended with exit code ${code}` })
  })
  // a program may close its input without reading it
  child.stdin.on('error', () => undefined)
  child.stdin.end(JSON.stringify(webhookBody(notification)))
  return promise.finally(() => {
    clearTimeout(timer)
    signal.removeEventListener('abort', kill)
    kill()
  })
}
