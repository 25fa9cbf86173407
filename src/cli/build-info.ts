import { projectDir } from './globals.ts'

/** What this program was built from. */
export interface BuildInfo {
  /** Hash of the commit; null if unknown. */
  readonly commit: string | null
  /** Time of the commit, ISO 8601 in UTC; null if unknown. The time of the build would make builds irreproducible. */
  readonly date: string | null
  /** Whether files differed from the commit. */
  readonly modified: boolean
  /** As in the file name of a release, for example `linux-x64`; null when run from source. */
  readonly platform: string | null
  /** Version of the bundled PostgreSQL; null when run from source. */
  readonly postgresql: string | null
}

/** Defined by deploy/build/compile.ts. */
declare const PORTLIGHT_BUILD: BuildInfo

/** Details of the build, or of the checkout when run from source. */
export function buildInfo(): BuildInfo {
  if (typeof PORTLIGHT_BUILD !== 'undefined') return PORTLIGHT_BUILD
  return { ...checkout(projectDir ?? '.'), platform: null, postgresql: null }
}

/** Commit of the program and its date, `''` if unknown. Unlike `buildInfo` it does not look for local changes, which takes longer. */
export function builtFrom(): { readonly revision: string; readonly builtAt: string } {
  const { commit, date } = typeof PORTLIGHT_BUILD === 'undefined' ? lastCommit(projectDir ?? '.') : PORTLIGHT_BUILD
  return { revision: commit ?? '', builtAt: date ?? '' }
}

/** Commit, date and local changes of a checkout; all unknown without git. */
export function checkout(folder: string): Pick<BuildInfo, 'commit' | 'date' | 'modified'> {
  const last = lastCommit(folder)
  if (last.commit === null) return { ...last, modified: false }
  const changes = git(folder, 'status', '--porcelain', '--untracked-files=no')
  return { ...last, modified: changes !== null && changes !== '' }
}

function lastCommit(folder: string): Pick<BuildInfo, 'commit' | 'date'> {
  const last = git(folder, 'log', '-1', '--format=%H %ct')
  const [commit, seconds] = last?.trim().split(' ') ?? []
  if (commit === undefined || seconds === undefined) return { commit: null, date: null }
  return { commit, date: isoDate(Number(seconds)) }
}

/** Unix seconds as ISO 8601 in UTC, without fractions. */
export function isoDate(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace('.000Z', 'Z')
}

function git(folder: string, ...args: readonly string[]): string | null {
  try {
    // Reading must neither wait for a lock of the checkout nor leave one behind.
    const ran = Bun.spawnSync(['git', '-C', folder, '--no-optional-locks', ...args], { stderr: 'ignore' })
    return ran.success ? ran.stdout.toString() : null
  } catch {
    return null // no git
  }
}
