import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Store } from '../../src/core/database/client.ts'
import { DASHBOARDS, METRICS_DASHBOARDS, provisioningFiles } from '../../src/grafana/provisioning.ts'
import { portlight } from '../cli/support.ts'
import { type Choice, expand } from './expand.ts'
import { type Filled, fillAll } from './filled.ts'
import { grafanaServers } from './servers.ts'

setDefaultTimeout(600_000)
const root = join(import.meta.dir, '../..')

interface PanelJson {
  readonly id: number
  readonly type: 'stat' | 'timeseries' | 'table'
  readonly title: string
  readonly datasource: { readonly uid: string }
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number }
  readonly targets: readonly { readonly rawSql: string; readonly format: string }[]
  readonly fieldConfig: {
    readonly overrides: readonly {
      readonly matcher: { readonly options: string }
      readonly properties: readonly { readonly id: string; readonly value: unknown }[]
    }[]
  }
}
interface DashboardJson {
  readonly uid: string
  readonly panels: readonly PanelJson[]
  readonly templating: {
    readonly list: readonly {
      readonly name: string
      readonly type: string
      readonly query: string
      readonly allValue?: string
    }[]
  }
}

const files = provisioningFiles('http://localhost:8000')
const onMetrics = new Set(METRICS_DASHBOARDS.map(({ name }) => `dashboards/portlight/${name}.json`))
const dashboards = [...files].flatMap(([path, text]) =>
  path.endsWith('.json') && !onMetrics.has(path) ? [{ path, json: JSON.parse(text) as DashboardJson }] : [],
)

/** OIDs of the PostgreSQL types that Grafana's data source converts to fields. */
const NUMBERS = new Set([20, 21, 23, 700, 701, 1700])
const TIME = 1184
const OTHERS = new Set([16, 25, 1043])

/** Panels that are empty because the device has only one sensor, of one class and within its limits. */
const EMPTY = new Set([
  ...['power', 'voltage', 'fanspeed', 'dbm', 'current'].map((name) => `Class ${name}`),
  ...['Over limits', 'Clients', 'Levels', 'Pollers'],
])

describe('the dashboards', () => {
  test('deploy/grafana has what the command writes', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'portlight-dashboards-'))
    const { code, out } = await portlight(['grafana', 'dashboards', folder])
    expect({ code, out }).toEqual({ code: 0, out: '' })
    for (const base of [folder, join(root, 'deploy/grafana')]) {
      const found = readdirSync(base, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
      expect(found.map((entry) => join(entry.parentPath, entry.name).slice(base.length + 1)).toSorted()).toEqual(
        [...files.keys()].toSorted(),
      )
      for (const [path, text] of files) expect(readFileSync(join(base, path), 'utf8')).toBe(text)
    }
    rmSync(folder, { recursive: true })
    expect((await portlight(['grafana', 'dashboards', folder, '--api', 'localhost'])).code).toBe(2)
  })

  test.each(dashboards)('panels in $path do not overlap, and refer to existing objects', ({ json }) => {
    const uids = new Set(DASHBOARDS.map(({ name }) => `portlight-${name}`))
    expect(uids).toContain(json.uid)
    expect(new Set(json.panels.map((panel) => panel.id)).size).toBe(json.panels.length)
    const cells = json.panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, i) => `${x + (i % w)} ${y + Math.floor(i / w)}`),
    )
    expect(new Set(cells).size).toBe(cells.length)
    for (const { gridPos, datasource } of json.panels) {
      expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24)
      expect(datasource.uid).toBe('portlight')
    }
    const text = JSON.stringify(json)
    for (const [, uid] of text.matchAll(/\/d\/([\w-]+)/g)) expect(uids).toContain(uid ?? '')
    const declared = json.templating.list.map((variable) => variable.name)
    for (const [, name] of text.matchAll(/\$\{(\w+)[:}]/g)) {
      if (name?.startsWith('__') !== true) expect(declared).toContain(name ?? '')
    }
  })
})

describe.each(grafanaServers())('panels on $name', ({ open }) => {
  const upto = Math.floor(Date.now() / 300_000) * 300
  let store: Store
  let drop: () => Promise<void>
  let filled: Filled
  beforeAll(async () => {
    ;({ store, drop } = await open())
    filled = await fillAll(store, 1000, "o'filled", upto)
    await store.sql`analyze`
  })
  afterAll(() => drop())

  const run = (statement: string) =>
    store.sql.begin('read only', async (tx) => {
      await tx`set local role portlight_reader`
      return await tx.unsafe(statement)
    })

  test.each(dashboards)('every query in $path runs with several time ranges', async ({ json }) => {
    const [bill] = await store.sql<{ id: string }[]>`select bill_id::text as id from bills`
    const [group] = await store.sql<{ name: string }[]>`select name from device_groups`
    expect(group?.name).toContain("'")
    const chosen = {
      group: [group?.name ?? ''],
      device: ["o'filled.example.net"],
      port: [String(filled.portId)],
      bill: [bill?.id ?? ''],
      portlight: ['http://localhost'],
    }
    const all = Object.fromEntries(json.templating.list.map((v) => [v.name, v.allValue ?? '']))
    const choices = [3600, 5 * 3600, 2 * 86_400, 30 * 86_400].flatMap((span): Choice[] => {
      const range = { from: upto - span, to: upto, intervalMs: (span * 1000) / 400 }
      return [
        { ...range, values: { ...chosen, group: null } },
        { ...range, values: { ...chosen, group: [...chosen.group, 'another'] } },
      ]
    })
    for (const variable of json.templating.list.filter((v) => v.type === 'query')) {
      for (const choice of choices.slice(0, 2)) {
        expect((await run(expand(variable.query, choice, all))).length).toBeGreaterThan(0)
      }
    }
    for (const panel of json.panels) {
      const [target] = panel.targets
      let most = 0
      for (const choice of choices) {
        const rows = await run(expand(target?.rawSql ?? '', choice, all))
        checkColumns(panel, rows.columns)
        if (panel.type === 'stat') expect(rows.length).toBe(1)
        if (panel.type === 'timeseries') checkOrder(rows)
        // A panel must not send more than a browser can draw.
        expect(rows.length).toBeLessThan(5001)
        most = Math.max(most, rows.length)
      }
      if (!EMPTY.has(panel.title)) expect([panel.title, most > 0]).toEqual([panel.title, true])
    }
  })
})

function checkColumns(panel: PanelJson, columns: readonly { readonly name: string; readonly type: number }[]): void {
  const names = columns.map((column) => column.name)
  const where = `${panel.title}: ${names.join(' ')}`
  expect([where, new Set(names).size]).toEqual([where, names.length])
  if (panel.type === 'stat') {
    expect([where, columns.length, NUMBERS.has(columns[0]?.type ?? 0)]).toEqual([where, 1, true])
  } else if (panel.type === 'timeseries') {
    const [time, ...others] = columns
    const values = others.filter((column) => column.name !== 'metric')
    expect([where, time?.name, time?.type]).toEqual([where, 'time', TIME])
    expect([where, values.length > 0, values.every((column) => NUMBERS.has(column.type))]).toEqual([where, true, true])
    expect(others.find((column) => column.name === 'metric')?.type ?? 25).toBe(25)
  } else {
    const known = columns.every(({ type }) => NUMBERS.has(type) || OTHERS.has(type) || type === TIME)
    expect([where, known]).toEqual([where, true])
    for (const { matcher, properties } of panel.fieldConfig.overrides) {
      expect(names).toContain(matcher.options)
      const used = JSON.stringify(properties).matchAll(/__data\.fields\.(\w+)/g)
      for (const [, name] of used) expect(names).toContain(name ?? '')
    }
  }
}

/** Grafana refuses a time series that is not ordered by time. */
function checkOrder(rows: readonly Readonly<Record<string, unknown>>[]): void {
  const times = rows.map((row) => Number(row['time']))
  expect(times.every((time, i) => i === 0 || time >= (times[i - 1] ?? 0))).toBe(true)
}
