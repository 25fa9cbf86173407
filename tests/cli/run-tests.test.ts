import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { readCounts, skippedTests, summaryLine } from '../../src/cli/test-report.ts'
import { portlight } from './support.ts'

setDefaultTimeout(60_000)

test.each([
  { output: ' 54 pass\n 0 fail\n 73 expect() calls\n', want: '54 passed, 0 failed' },
  { output: ' 1 pass\n 2 skip\n 1 todo\n 2 fail\n 1 error\n', want: '1 passed, 2 failed, 3 skipped' },
  { output: 'console: 9 pass\n 3 pass\n 0 fail\n', want: '3 passed, 0 failed' },
  { output: '', want: '0 passed, 0 failed' },
])('$want', ({ output, want }) => {
  expect(summaryLine(readCounts(output))).toBe(want)
})

test('names of skipped tests come from the report', () => {
  const xml = `<testcase name="a &amp; &lt;b&gt;" classname="" time="0" file="tests/x.test.ts" line="2" assertions="0">
      <skipped />
    </testcase>
    <testcase name="ran" classname="" time="0" file="tests/x.test.ts" line="3" assertions="1" />`
  expect(skippedTests(xml)).toEqual(['tests/x.test.ts: a & <b>'])
})

describe('portlight test', () => {
  test('ends with the line of counts', async () => {
    const { code, out } = await portlight(['test', 'tests/config/load'])
    expect(out.trimEnd().split('\n').at(-1)).toMatch(/^\d+ passed, 0 failed$/)
    expect(code).toBe(0)
  })

  test('no test that matches is a failure', async () => {
    const { code, out } = await portlight(['test', 'no-such-file-anywhere'])
    expect(out.trimEnd().split('\n').at(-1)).toBe('0 passed, 1 failed')
    expect(code).toBe(1)
  })
})
