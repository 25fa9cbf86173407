import { afterAll, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Outcome, temporaryFolder } from '../cli/support.ts'
import { asRoot, install, program, run } from './support.ts'

// The program of one file on a machine whose folder for temporary files is mounted noexec.

setDefaultTimeout(180_000)

const work = temporaryFolder()
afterAll(work.remove)
const mounted = join(work.path, 'tmp')
mkdirSync(mounted)

/** Runs `doctor` where nothing in `mounted` may be executed, which is also the folder for temporary files. */
function doctor(dataDir: string): Promise<Outcome> {
  const script = `mount -t tmpfs -o noexec none '${mounted}' && mkdir '${mounted}/data' && exec "$@"`
  const command = ['sh', '-c', script, 'sh', install(work.path), 'doctor', '--data-dir', dataDir]
  return run('/usr/bin/unshare', ['-m', ...command], { env: { TMPDIR: mounted } })
}

test.if(program !== null && asRoot)('graphs are drawn with what is unpacked into the data folder', async () => {
  expect((await doctor(join(work.path, 'data'))).out).toMatch(/^ok +graphs +can be drawn$/m)
})

test.if(program !== null && asRoot)('where that forbids execution too, doctor says which setting helps', async () => {
  const { code, out } = await doctor(join(mounted, 'data'))
  expect(out).toMatch(/^BAD +graphs +Graphs cannot be drawn: .* set the environment variable BUN_TMPDIR/m)
  expect(code).toBe(1)
})
