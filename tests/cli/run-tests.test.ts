import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { failedSections, readCounts, skippedTests, slowestFiles, summaryLine } from '../../tools/test/test-report.ts'
import { portlight, projectDir } from './support.ts'

setDefaultTimeout(240_000)

/** Runs tests that start no program, so none has to be compiled. */
const run = (...args: string[]) =>
  portlight(['test', ...args], {
    script: join(projectDir, 'tools/main.ts'),
    env: { PORTLIGHT_TEST_PROGRAM: process.execPath },
  })

test.each([
  { output: ' 54 pass\n 0 fail\n 73 expect() calls\n', want: '54 passed, 0 failed' },
  { output: ' 1 pass\n 2 skip\n 1 todo\n 2 fail\n 1 error\n', want: '1 passed, 2 failed, 3 skipped' },
  { output: 'console: 9 pass\n 3 pass\n 0 fail\n', want: '3 passed, 0 failed' },
  { output: '', want: '0 passed, 0 failed' },
])('$want', ({ output, want }) => {
  expect(summaryLine(readCounts(output))).toBe(want)
})

test('names of skipped tests are read from the report', () => {
  const xml = `<testcase name="a &amp; &lt;b&gt;" classname="" time="0" file="tests/x.test.ts" line="2" assertions="0">
      <skipped />
    </testcase>
    <testcase name="ran" classname="" time="0" file="tests/x.test.ts" line="3" assertions="1" />`
  expect(skippedTests(xml)).toEqual(['tests/x.test.ts: a & <b>'])
})

test('the slowest files are read from the report', () => {
  const xml = `<testsuite name="tests/x.test.ts" file="tests/x.test.ts" tests="2" assertions="4" time="3.5">
      <testsuite name="inside" file="tests/x.test.ts" tests="1" assertions="1" time="3" />
    </testsuite>
    <testsuite name="tests/y.test.ts" file="tests/y.test.ts" tests="1" assertions="1" time="12.25" />`
  const costs = '1500 tests/x.test.ts\n400 tests/z.test.ts\n600 tests/x.test.ts\n'
  expect(slowestFiles(xml, costs, 5)).toEqual({
    files: ['  12.3 s  tests/y.test.ts', '   3.5 s     2.1 s CPU  tests/x.test.ts'],
    cpuS: 3,
  })
})

test('of all that was printed, what the files with failures printed is shown again', () => {
  const parts = [
    'tests/a.test.ts:\nsomething odd\n(pass) a\n',
    'tests/b.test.ts:\nerror: expected 2\n(fail) b [1.00ms]\n',
    'tests/c.test.tsx:\n# Unhandled error between tests\nTypeError: late\n',
    `tests/d.test.ts:\n${'line\n'.repeat(500)}(fail) d\n`,
  ]
  const found = failedSections(parts.join('\n'))
  expect(found.map((section) => section.split('\n')[0])).toEqual(['tests/b.test.ts:', 'tests/c.test.tsx:', 'line'])
  expect(found[2]?.split('\n').length).toBeLessThan(100)
  expect(failedSections('')).toEqual([])
})

describe('portlight test', () => {
  test('a failed test fails the run', async () => {
    const folder = mkdtempSync(join(import.meta.dir, 'failing-'))
    try {
      writeFileSync(
        join(folder, 'one.test.ts'),
        `import { expect, test } from 'bun:test'\ntest('never', () => expect(1).toBe(2))`,
      )
      const { code, out } = await run(folder)
      expect(out.trimEnd().split('\n').at(-1)).toBe('0 passed, 1 failed')
      expect(code).toBe(1)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })

  test('ends with the line of counts', async () => {
    const { code, out } = await run('tests/config/load')
    expect(out.trimEnd().split('\n').at(-1)).toMatch(/^\d+ passed, 0 failed$/)
    expect(code).toBe(0)
  })

  test('fails if no test matches', async () => {
    const { code, out } = await run('no-such-file-anywhere')
    expect(out.trimEnd().split('\n').at(-1)).toBe('0 passed, 1 failed')
    expect(code).toBe(1)
  })
})
