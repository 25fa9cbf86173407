import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

const folder = join(import.meta.dir, '..', '..')

/** A process that prints after each step whether the drawing library is in its address space. */
const SCRIPT = `
  import { readFileSync } from 'node:fs'
  const loaded = () => /skia|canvas/.test(readFileSync('/proc/self/maps', 'utf8'))
  const { createGraphs } = await import(${JSON.stringify(join(folder, 'src/graphs/graphs.ts'))})
  const { knownSeries, NOW_S } = await import(${JSON.stringify(join(folder, 'tests/graphs/fixtures.ts'))})
  const graphs = createGraphs({ series: knownSeries({}), now: () => NOW_S * 1000 })
  await graphs.deviceTypes(1)
  const before = loaded()
  const { kind } = await graphs.port(1, 'port_bits', {})
  console.log(JSON.stringify({ before, kind, after: loaded() }))
`

test.if(existsSync('/proc/self/maps'))(
  'the library that draws is loaded with the first picture, not before',
  async () => {
    const child = Bun.spawn([process.execPath, '-e', SCRIPT], { cwd: folder, stdout: 'pipe', stderr: 'pipe' })
    const [out, err] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
    expect(err).toBe('')
    expect(JSON.parse(out)).toEqual({ before: false, kind: 'image', after: true })
  },
)
