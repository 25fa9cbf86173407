import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Command } from 'commander'
import { COMPILED } from '../../lib/compiled.ts'
import { CliError, usage } from '../errors.ts'
import { print, say } from '../output.ts'
import { applySteps } from '../systemd/apply.ts'
import {
  BACKUP_TIMER,
  DATA,
  describeSteps,
  installSteps,
  PROGRAM,
  SERVICE,
  SETTINGS,
  type Step,
  UNIT,
  USER,
  uninstallSteps,
  unitText,
} from '../systemd/plan.ts'

/** `portlight systemd install|uninstall|status`. Command `service` is for service checks. */
export function registerSystemd(program: Command): void {
  const systemd = program.command('systemd').description('run this program as a systemd service')
  systemd
    .command('install')
    .description('copy this program to /opt/portlight, create unit, user and settings file, and start the service')
    .option(
      '--user <name>',
      'existing user to run as, with a group of the same name (default: portlight, which is created)',
    )
    .option('--no-start', 'do not start the service until the next boot')
    .option('--root <folder>', 'install into this folder of a system that is not running')
    .option('--print', 'only print what would be done')
    .action((options: { user?: string; start: boolean; root?: string; print?: boolean }) => {
      const user = options.user ?? USER
      const root = rootOf(options.root)
      if (!/^[a-z_][a-z0-9_-]{0,30}$/.test(user)) throw usage(`--user must be the name of a user, not ${user}`)
      const steps = installSteps({ user, start: options.start, root })
      if (options.print !== true) requireSystem(root, 'installed')
      if (!COMPILED) throw new CliError('only the compiled program can be installed: see docs/how-to/install.md')
      if (options.print === true) return print(describeSteps(steps, process.execPath).trimEnd())
      if (user !== USER && !hasUser(root, user)) throw new CliError(`there is no user ${user} in /etc/passwd`)
      apply(steps, root)
      say(`the service is installed; settings are in ${SETTINGS}, data in ${DATA}`)
      say(`for nightly backups in /var/backups/portlight: systemctl enable --now ${BACKUP_TIMER}`)
      if (root === null) say('to see the password of the first start: journalctl -u portlight')
    })
  systemd
    .command('uninstall')
    .description('stop the service and remove program and unit; data, settings and user stay')
    .option('--root <folder>', 'remove it from this folder of a system that is not running')
    .option('--print', 'only print what would be done')
    .action((options: { root?: string; print?: boolean }) => {
      const root = rootOf(options.root)
      const steps = uninstallSteps(root)
      if (options.print === true) return print(describeSteps(steps, process.execPath))
      requireSystem(root, 'removed')
      if (!existsSync(join(root ?? '/', UNIT))) throw new CliError(`the service is not installed: there is no ${UNIT}`)
      apply(steps, root)
      say(`the service is removed; to remove the data too: rm -r ${DATA} /etc/portlight && userdel portlight`)
    })
  systemd
    .command('status')
    .description(
      'show whether the service is installed as this version would install it, and is running; exit code 1 if not',
    )
    .option('--root <folder>', 'look in this folder of a system that is not running')
    .action((options: { root?: string }) => {
      const root = rootOf(options.root)
      const lines = statusOf(root)
      for (const { what, text } of lines) print(`${what.padEnd(8)} ${text}`)
      if (lines.some(({ good }) => !good)) process.exitCode = 1
    })
}

function apply(steps: readonly Step[], root: string | null): void {
  applySteps(steps, process.execPath, root ?? '/', say)
}

function rootOf(given: string | undefined): string | null {
  return given === undefined ? null : resolve(given)
}

function requireSystem(root: string | null, done: string): void {
  if (root !== null) {
    if (!existsSync(root)) throw new CliError(`there is no folder ${root}`)
    return
  }
  // The same test as in sd_booted(3).
  if (!existsSync('/run/systemd/system')) {
    throw new CliError(
      `this machine was not booted with systemd, so no service can be ${done}: run \`portlight serve\` in a container or under another supervisor`,
    )
  }
  if (process.getuid?.() !== 0) throw new CliError(`a service can only be ${done} by root: use sudo`)
}

function hasUser(root: string | null, user: string): boolean {
  const path = join(root ?? '/', 'etc/passwd')
  return (
    existsSync(path) &&
    readFileSync(path, 'utf8')
      .split('\n')
      .some((line) => line.startsWith(`${user}:`))
  )
}

interface Line {
  readonly what: string
  readonly text: string
  readonly good: boolean
}

function statusOf(root: string | null): Line[] {
  const at = (path: string): string => join(root ?? '/', path)
  if (!existsSync(at(UNIT))) return [{ what: 'unit', text: `not installed: there is no ${at(UNIT)}`, good: false }]
  const text = readFileSync(at(UNIT), 'utf8')
  const user = /^User=(.*)$/m.exec(text)?.[1] ?? ''
  const same = text === unitText(user)
  const lines: Line[] = [
    {
      what: 'unit',
      text: same ? at(UNIT) : `${at(UNIT)} is not what this version writes: run \`portlight systemd install\` again`,
      good: same,
    },
    { what: 'user', text: hasUser(root, user) ? user : `there is no user ${user}`, good: hasUser(root, user) },
    {
      what: 'program',
      text: existsSync(at(PROGRAM)) ? at(PROGRAM) : `there is no ${at(PROGRAM)}`,
      good: existsSync(at(PROGRAM)),
    },
  ]
  if (root !== null || Bun.which('systemctl') === null) return lines
  const state = Bun.spawnSync(['systemctl', 'is-active', SERVICE]).stdout.toString().trim() || 'unknown'
  return [...lines, { what: 'state', text: state, good: state === 'active' }]
}
