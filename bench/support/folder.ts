import { chmodSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * A new folder for data, in `inside` or among the temporary files. The database's user can enter it: otherwise a database that
 * is started as root is kept, and stays, elsewhere.
 */
export function dataFolder(prefix = 'portlight-bench-', inside = tmpdir()): string {
  const folder = mkdtempSync(join(inside, prefix))
  chmodSync(folder, 0o755)
  return folder
}
