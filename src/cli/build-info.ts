import { projectDir } from './globals.ts'

/** What a program was made from. */
export interface BuildInfo {
  /** Hash of the commit; null when it is not known. */
  readonly commit: string | null
  /** When it was committed, ISO 8601 in UTC; null when it is not known. Not when it was built: builds can be repeated. */
  readonly date: string | null
  /** Whether files differed from the commit. */
  readonly modified: boolean
  /** As in the name of the file, for example `linux-x64`; null from source. */
  readonly platform: string | null
  /** Version of the PostgreSQL inside; null when there is none. */
  readonly postgresql: string | null
}

/** Put in by deploy/build/compile.ts. */
declare const PORTLIGHT_BUILD: BuildInfo

/** Facts of the build, or of the checkout when run from source. */
export function buildInfo(): BuildInfo {
  if (typeof PORTLIGHT_BUILD !== 'undefined') return PORTLIGHT_BUILD
  return { ...checkout(projectDir ?? '.'), platform: null, postgresql: null }
}

/** Commit, date and changes of a checkout; all unknown where there is no git. */
export function checkout(folder: string): Pick<BuildInfo, 'commit' | 'date' | 'modified'> {
  const last = git(folder, 'log', '-1', '--format=%H %ct')
  const [commit, seconds] = last?.trim().split(' ') ?? []
  if (commit === undefined || seconds === undefined) return { commit: null, date: null, modified: false }
  const changes = git(folder, 'status', '--porcelain', '--untracked-files=no')
  return { commit, date: isoDate(Number(seconds)), modified: changes !== null && changes !== '' }
}

/** Unix seconds as ISO 8601 in UTC, without fractions. */
export function isoDate(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace('.000Z', 'Z')
}

function git(folder: string, ...args: readonly string[]): string | null {
  try {
    // Reading must not wait for, or leave, a lock of the checkout.
    const ran = Bun.spawnSync(['git', '-C', folder, '--no-optional-locks', ...args], { stderr: 'ignore' })
    return ran.success ? ran.stdout.toString() : null
  } catch {
    return null // no git
  }
}
