import { join, resolve } from 'node:path'

export interface DataDirInput {
  /** Setting `data_dir`; empty means the default. */
  readonly dataDir: string
  /** The project's folder; null in a compiled binary. */
  readonly projectDir: string | null
  readonly env: Readonly<Record<string, string | undefined>>
  /** Numeric user id of this process. */
  readonly uid: number
}

/**
 * Absolute path of the data folder. The default is `data` in the project's folder, regardless of the working directory,
 * so every command finds the same database. A compiled binary defaults to /var/lib/portlight for root and to the XDG
 * data folder for other users.
 */
export function resolveDataDir({ dataDir, projectDir, env, uid }: DataDirInput): string {
  if (dataDir !== '') return resolve(dataDir)
  if (projectDir !== null) return join(projectDir, 'data')
  const xdg = env['XDG_DATA_HOME']
  if (xdg?.startsWith('/') === true) return join(xdg, 'portlight')
  const home = env['HOME'] ?? ''
  return uid === 0 || home === '' ? '/var/lib/portlight' : join(home, '.local', 'share', 'portlight')
}
