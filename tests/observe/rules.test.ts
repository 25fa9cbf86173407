import { describe, expect, test } from 'bun:test'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildProgram } from '../../src/cli/program.ts'
import { METRICS_DASHBOARDS, provisioningFiles } from '../../src/grafana/provisioning.ts'
import { isMetricName } from '../../src/observe/catalogue.ts'

const root = join(import.meta.dir, '..', '..')
const RULES = join(root, 'deploy/prometheus/portlight.rules.yml')
const RUNBOOKS = join(root, 'docs/runbooks')

interface Rule {
  readonly alert: string
  readonly expr: string
  readonly for?: string
  readonly labels: { readonly severity: string }
  readonly annotations: { readonly summary: string; readonly description: string; readonly runbook_url: string }
}

const parsed = Bun.YAML.parse(readFileSync(RULES, 'utf8')) as { groups: { rules: Rule[] }[] }
const rules = parsed.groups.flatMap((group) => group.rules)

/** Metrics of Prometheus itself. */
const FOREIGN = new Set(['up'])

/** Names of metrics in a PromQL expression that this program does not have. */
function unknownIn(expr: string): string[] {
  const names = [...expr.matchAll(/\b((?:portlight|process)_\w+)\b/g)].map(([, name]) => name ?? '')
  return names.filter((name) => !isMetricName(name.replace(/_(bucket|count|sum)$/, '')) && !isMetricName(name))
}

async function promtool(...args: string[]): Promise<{ code: number; said: string }> {
  const run = Bun.spawn(['promtool', ...args], { stdout: 'pipe', stderr: 'pipe' })
  const said = (await new Response(run.stdout).text()) + (await new Response(run.stderr).text())
  return { code: await run.exited, said }
}
const withPromtool = test.skipIf(Bun.which('promtool') === null)

describe('rules for Prometheus', () => {
  test('each has a unique name, a severity, a description and a runbook', () => {
    expect(rules.length).toBeGreaterThan(20)
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length)
    for (const { alert, labels, annotations } of rules) {
      expect(alert).toMatch(/^Portlight[A-Z]\w+$/)
      expect(['warning', 'critical']).toContain(labels.severity)
      expect(annotations.summary.length * annotations.description.length).toBeGreaterThan(0)
      const page = readFileSync(join(root, annotations.runbook_url), 'utf8')
      expect(page).toContain(`Alert \`${alert}\`, severity ${labels.severity}`)
      for (const part of ['What it means', 'How to check', 'Causes', 'What to do', 'Resolved when'])
        expect(page).toContain(`\n## ${part}\n`)
    }
  })

  test('each reads metrics that exist', () => {
    expect(rules.flatMap(({ expr }) => unknownIn(expr))).toEqual([])
    expect(FOREIGN.has('up')).toBe(true)
    expect(unknownIn('portlight_no_such_metric > 1')).toEqual(['portlight_no_such_metric'])
  })

  test('each has a unit test, and each runbook an alert', () => {
    const tested = readFileSync(join(root, 'deploy/prometheus/tests/portlight.test.yml'), 'utf8')
    for (const { alert } of rules) expect(tested).toContain(`alertname="${alert}"`)
    const pages = readdirSync(RUNBOOKS).filter((name) => name !== 'README.md')
    expect(pages.toSorted()).toEqual(
      rules.map(({ annotations }) => annotations.runbook_url.replace('docs/runbooks/', '')).toSorted(),
    )
  })

  withPromtool('promtool accepts them, and their unit tests pass', async () => {
    expect(await promtool('check', 'rules', RULES)).toMatchObject({ code: 0 })
    const ran = await promtool('test', 'rules', join(root, 'deploy/prometheus/tests/portlight.test.yml'))
    expect(ran).toMatchObject({ code: 0 })
  })
})

describe('runbooks', () => {
  const pages = readdirSync(RUNBOOKS).map((name) => ({ name, text: readFileSync(join(RUNBOOKS, name), 'utf8') }))

  test.each(pages)('$name refers to commands, metrics and pages that exist', ({ text }) => {
    const program = buildProgram(() => Promise.reject(new Error('no command is run here')))
    const subcommands = new Map(
      program.commands.map((command) => [command.name(), new Set(command.commands.map((sub) => sub.name()))]),
    )
    for (const [, first = '', second = ''] of text.matchAll(/(?:^|[`;] ?)portlight ([a-z]+)(?: ([a-z]+))?/gm)) {
      const below = subcommands.get(first)
      const found = below !== undefined && (below.size === 0 || below.has(second))
      expect({ command: `${first} ${second}`, found }).toEqual({ command: `${first} ${second}`, found: true })
    }
    const names = text.replaceAll(/portlight-\w+|portlight\.\w+/g, '')
    expect(unknownIn(names)).toEqual([])
    for (const [, link = ''] of text.matchAll(/\]\((?!http)([^)#]+)/g))
      expect({ link, there: existsSync(join(RUNBOOKS, link)) }).toEqual({ link, there: true })
  })
})

describe('the dashboards of metrics', () => {
  const expressions = METRICS_DASHBOARDS.flatMap(({ panels }) =>
    panels.flatMap(({ queries }) => queries.map(({ expr }) => expr)),
  )

  test('reads metrics that exist, and its panels do not overlap', () => {
    expect(expressions.length).toBeGreaterThan(30)
    expect(expressions.flatMap(unknownIn)).toEqual([])
    for (const { name } of METRICS_DASHBOARDS) {
      const json = JSON.parse(provisioningFiles('').get(`dashboards/portlight/${name}.json`) ?? '') as {
        panels: { gridPos: { x: number; y: number; w: number; h: number } }[]
      }
      const cells = json.panels.flatMap(({ gridPos: { x, y, w, h } }) =>
        Array.from({ length: w * h }, (_, i) => `${x + (i % w)} ${y + Math.floor(i / w)}`),
      )
      expect(new Set(cells).size).toBe(cells.length)
    }
  })

  withPromtool('its queries are PromQL', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'portlight-promql-'))
    const file = join(folder, 'rules.yml')
    const lines = expressions.map((expr, i) => {
      const plain = expr.replaceAll('$instance', '.+').replaceAll('$__rate_interval', '5m')
      return `      - { record: "dashboard:${i}", expr: ${JSON.stringify(plain)} }`
    })
    writeFileSync(file, `groups:\n  - name: dashboard\n    rules:\n${lines.join('\n')}\n`)
    try {
      expect(await promtool('check', 'rules', file)).toMatchObject({ code: 0 })
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})
