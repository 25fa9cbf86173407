import unit from '../../../deploy/portlight.service' with { type: 'text' }
import backupUnit from '../../../deploy/portlight-backup.service' with { type: 'text' }
import backupTimer from '../../../deploy/portlight-backup.timer' with { type: 'text' }

/** One step of an installation or removal. Paths are absolute, on the machine that gets the service. */
export type Step =
  | { readonly kind: 'copy'; readonly path: string; readonly mode: number }
  | { readonly kind: 'link'; readonly path: string; readonly to: string }
  | {
      readonly kind: 'file'
      readonly path: string
      readonly mode: number
      readonly text: string
      readonly keep: boolean
    }
  | { readonly kind: 'remove'; readonly path: string }
  | { readonly kind: 'run'; readonly command: readonly string[] }

export const SERVICE = 'portlight.service'
/** The user in the unit file, created if it does not exist. */
export const USER = 'portlight'
export const PROGRAM = '/opt/portlight/portlight'
export const UNIT = `/etc/systemd/system/${SERVICE}`
export const SETTINGS = '/etc/portlight/environment'
export const DATA = '/var/lib/portlight'
const BACKUP_UNIT = '/etc/systemd/system/portlight-backup.service'
export const BACKUP_TIMER = 'portlight-backup.timer'
const BACKUP_TIMER_FILE = `/etc/systemd/system/${BACKUP_TIMER}`
const USERS = '/etc/sysusers.d/portlight.conf'
const LINK = '/usr/local/bin/portlight'

const SETTINGS_TEXT = `# Settings of the service, one variable per line; \`portlight config list\` lists all settings. For example:
# PORTLIGHT_LISTEN=0.0.0.0
# PORTLIGHT_PORT=8000
# DATABASE_URL=postgres://user:password@host/database
# After a change: systemctl restart portlight
`

/** The unit file of a service that runs as this user and the group of the same name. */
export function unitText(user: string): string {
  return unit.replace(/^User=.*$/m, `User=${user}`).replace(/^Group=.*$/m, `Group=${user}`)
}

export interface InstallOptions {
  readonly user: string
  /** Whether to start the service, or restart it if it is running. */
  readonly start: boolean
  /** Folder of a system that is not running, as for `systemctl --root`; null for this one. */
  readonly root: string | null
}

/** The steps that install the service, in order. An existing settings file is kept. */
export function installSteps({ user, start, root }: InstallOptions): Step[] {
  const at = root === null ? [] : [`--root=${root}`]
  const run = (...command: readonly string[]): Step => ({ kind: 'run', command })
  const steps: Step[] = [
    { kind: 'copy', path: PROGRAM, mode: 0o755 },
    { kind: 'link', path: LINK, to: PROGRAM },
    { kind: 'file', path: UNIT, mode: 0o644, text: unitText(user), keep: false },
    // The timer is left to the administrator, because backups need space.
    { kind: 'file', path: BACKUP_UNIT, mode: 0o644, text: backupUnit, keep: false },
    { kind: 'file', path: BACKUP_TIMER_FILE, mode: 0o644, text: backupTimer, keep: false },
    // Mode 0600, because it may contain the password of a database.
    { kind: 'file', path: SETTINGS, mode: 0o600, text: SETTINGS_TEXT, keep: true },
  ]
  if (user === USER) {
    const text = `u ${USER} - "Portlight network monitor" ${DATA}\n`
    steps.push({ kind: 'file', path: USERS, mode: 0o644, text, keep: false })
    steps.push(run('systemd-sysusers', ...at, root === null ? USERS : `${root}${USERS}`))
  }
  if (root === null) steps.push(run('systemctl', 'daemon-reload'))
  steps.push(run('systemctl', ...at, 'enable', SERVICE))
  if (start && root === null) steps.push(run('systemctl', 'restart', SERVICE))
  return steps
}

/** The steps that remove the service. Data, settings and the user are kept. */
export function uninstallSteps(root: string | null): Step[] {
  const stop: Step[] =
    root === null
      ? [{ kind: 'run', command: ['systemctl', 'disable', '--now', SERVICE, BACKUP_TIMER] }]
      : [{ kind: 'run', command: ['systemctl', `--root=${root}`, 'disable', SERVICE, BACKUP_TIMER] }]
  const remove = [UNIT, BACKUP_UNIT, BACKUP_TIMER_FILE, USERS, LINK, PROGRAM].map(
    (path): Step => ({ kind: 'remove', path }),
  )
  const reload: Step[] = root === null ? [{ kind: 'run', command: ['systemctl', 'daemon-reload'] }] : []
  return [...stop, ...remove, ...reload]
}

/** The steps as comments of a shell script, with the contents of files. */
export function describeSteps(steps: readonly Step[], program: string): string {
  return steps.map((step) => describeStep(step, program)).join('\n')
}

function describeStep(step: Step, program: string): string {
  if (step.kind === 'copy') return `# copy ${program} to ${step.path}`
  if (step.kind === 'link') return `# link ${step.path} -> ${step.to}`
  if (step.kind === 'remove') return `# remove ${step.path}`
  if (step.kind === 'run') return `# run ${step.command.join(' ')}`
  const mode = step.mode.toString(8)
  return `# file ${step.path}, mode ${mode}${step.keep ? ', unless it exists' : ''}:\n${step.text}`
}
