import { expect, test } from 'bun:test'
import { join } from 'node:path'

test('memory is unknown, and nothing is thrown, when no descriptors are left', async () => {
  const script = join(import.meta.dir, 'memory-script.ts')
  const limited = ['sh', '-c', 'ulimit -n 64; exec "$@"', 'sh', process.execPath, script]
  const child = Bun.spawn(limited, { stdout: 'pipe', stderr: 'inherit' })
  const [out, ended] = await Promise.all([child.stdout.json(), child.exited])
  expect(ended).toBe(0)
  expect(out).toEqual({
    before: { heap: expect.any(Number), resident: expect.any(Number) },
    code: 'EMFILE',
    after: { heap: null, resident: null },
  })
})
