export interface TestCounts {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
}

/** The counts at the end of `bun test` output (`12 pass`, `1 fail`, `2 skip`, `1 todo`); 0 for those missing. */
export function readCounts(output: string): TestCounts {
  const count = (word: string) =>
    Number(
      output
        .match(new RegExp(`^ *(\\d+) ${word}$`, 'gm'))
        ?.at(-1)
        ?.trim()
        .split(' ')[0] ?? 0,
    )
  return { passed: count('pass'), failed: count('fail'), skipped: count('skip') + count('todo') }
}

/** `N passed, N failed`, with `, N skipped` if there are any. */
export function summaryLine({ passed, failed, skipped }: TestCounts): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
}

/** Lines shown of one file's output, and files shown. */
const MAX_SECTION_LINES = 80
const MAX_SECTIONS = 20

/**
 * What the test files in which something failed printed, from the output of `bun test`: it begins each file's part with
 * a line `FILE:`. Of a longer part the last lines; an error outside of any test counts as a failure.
 */
export function failedSections(output: string): string[] {
  const sections: string[][] = [[]]
  for (const line of output.split('\n')) {
    if (/^\S+\.test\.tsx?:$/.test(line)) sections.push([])
    sections.at(-1)?.push(line)
  }
  return sections
    .filter((lines) => lines.some((line) => /^\(fail\) |^error: |^# Unhandled error/.test(line.trim())))
    .slice(0, MAX_SECTIONS)
    .map((lines) => lines.slice(-MAX_SECTION_LINES).join('\n').trimEnd())
}

/** Names of the skipped tests in a JUnit report, as `file: name`. */
export function skippedTests(xml: string): string[] {
  const cases = xml.matchAll(/<testcase name="([^"]*)"[^>]*? file="([^"]*)"[^>]*>\s*<skipped/g)
  return [...cases].map(([, name = '', file = '']) => `${unescapeXml(file)}: ${unescapeXml(name)}`)
}

/**
 * The slowest test files in a JUnit report, as `12.3 s  9.8 s CPU  file`, slowest first, and the CPU seconds of all
 * files. `costs`: lines `CPU_MS FILE`; a file that ran twice has two.
 */
export function slowestFiles(xml: string, costs: string, most: number): { files: string[]; cpuS: number } {
  const cpuMs = new Map<string, number>()
  for (const [, ms, file = ''] of costs.matchAll(/^(\d+) (.+)$/gm)) cpuMs.set(file, (cpuMs.get(file) ?? 0) + Number(ms))
  // suites inside a file have other names
  const suites = xml.matchAll(/<testsuite name="([^"]*)" file="\1"[^>]*? time="([\d.]+)"/g)
  const files = [...suites].map(([, file = '', seconds]) => ({ file: unescapeXml(file), seconds: Number(seconds) }))
  const slowest = files.toSorted((a, b) => b.seconds - a.seconds).slice(0, most)
  return {
    files: slowest.map(({ file, seconds }) => {
      const cpu = cpuMs.get(file)
      const used = cpu === undefined ? '' : `${(cpu / 1000).toFixed(1).padStart(6)} s CPU  `
      return `${seconds.toFixed(1).padStart(6)} s  ${used}${file}`
    }),
    cpuS: Math.round([...cpuMs.values()].reduce((sum, ms) => sum + ms, 0) / 1000),
  }
}

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&', '#10': ' ' }

function unescapeXml(text: string): string {
  return text.replaceAll(/&([a-z]+|#10);/g, (whole, name: string) => ENTITIES[name] ?? whole)
}
