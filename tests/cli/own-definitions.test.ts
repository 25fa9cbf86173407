import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { definitionFaults, faultText } from '../../src/definitions/faults.ts'
import { portlight, projectDir, temporaryFolder } from './support.ts'

setDefaultTimeout(120_000)

// A definition with a mistake, in a copy of the sources, because other tests read those of the project meanwhile.

const folder = temporaryFolder()
const copy = join(folder.path, 'copy')
beforeAll(() => {
  mkdirSync(copy)
  for (const part of ['src', 'db', 'deploy', 'package.json', 'tools'])
    cpSync(join(projectDir, part), join(copy, part), { recursive: true })
  for (const part of ['node_modules', 'packages', 'docs']) symlinkSync(join(projectDir, part), join(copy, part))
  mkdirSync(join(copy, 'src/vendors/acme'))
})
afterAll(() => folder.remove())

const FILE = 'src/vendors/acme/acme-os.os.yaml'
const GOOD = readFileSync(join(projectDir, 'src/vendors/cisco/ios.os.yaml'), 'utf8').replace(
  /^os: ios$/m,
  'os: acme-os',
)
const run = (...args: string[]) =>
  portlight([...args, '--data-dir', join(folder.path, 'data')], { script: join(copy, 'src/main.ts') })

test('all definitions of the project can be used', () => {
  expect(definitionFaults().map(faultText)).toEqual([])
})

test.each([
  {
    what: 'a mistyped key',
    text: GOOD.replace(/^detect:/m, 'detct:'),
    says: `${FILE}:${GOOD.split('\n').findIndex((line) => line.startsWith('detect:')) + 1}: acme-os: unknown key detct; did you mean detect?`,
  },
  { what: 'no YAML', text: 'os: acme-os\ntext: [a\nb: c\n', says: `${FILE}: no valid YAML: ` },
  { what: 'another name', text: GOOD.replace('os: acme-os', 'os: acme'), says: 'must be the name of the file' },
])('a definition with $what: serve, doctor and `bun run definitions` name file and line', async ({ text, says }) => {
  writeFileSync(join(copy, FILE), text)
  const [served, examined, printed] = await Promise.all([
    run('serve', '--port', '0'),
    run('doctor'),
    portlight([], { script: join(copy, 'tools/reference/definitions/resolved.ts') }),
  ])
  for (const { code, out, err } of [served, examined, printed]) {
    expect(code).toBe(1)
    expect(out + err).toContain(says)
    expect(out + err).not.toMatch(/\n\s+at |internal error/)
  }
})
