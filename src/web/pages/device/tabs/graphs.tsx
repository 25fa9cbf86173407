/** @jsxImportSource #jsx */

import { allZeroWords } from '../../../all-zero-words.ts'
import { ChartCard, QuietChart } from '../../../components/chart.tsx'
import { deviceGraph } from '../../../components/graph-specs.ts'
import { RangeBar, rangeOf } from '../../../components/range.tsx'
import { withQuery } from '../../../components/table.tsx'
import { Empty, plain } from '../../../components/values.tsx'
import { graphDevice, instantOf } from '../facts.ts'
import { firstPoll } from '../progress.tsx'
import { type Subject, tab } from '../tab.ts'

/** Maximum number of graphs open at a time. */
const OPEN = 6

const titleOf = (desc: string) => plain(desc.charAt(0).toUpperCase() + desc.slice(1))

const specOf = (subject: Subject, { name, desc }: { readonly name: string; readonly desc: string }) =>
  deviceGraph(graphDevice(subject), name, titleOf(desc), { p95: name === 'device_bits', rows: 2 })

interface GraphsData {
  readonly types: readonly { readonly name: string; readonly desc: string }[]
  readonly open: readonly string[]
  /** What to say in place of charts that show only zeros, by name. */
  readonly quiet: ReadonlyMap<string, string>
}

export const graphsTab = tab<GraphsData>({
  id: 'graphs',
  label: 'Graphs',
  gate: 'Device.viewAny',
  charts: true,
  async load({ services, query, nowMs }, { deviceId, record }) {
    const all = await services.graphs.deviceTypes(deviceId)
    // Some graphs have two names in the API but one description.
    const types = [...Map.groupBy(all, ({ desc }) => desc)].flatMap(([, [first]]) => first ?? [])
    const known = new Set(types.map(({ name }) => name))
    const asked = (query.get('open') ?? '')
      .slice(0, 500)
      .split(',')
      .filter((name) => known.has(name))
    const open = (query.has('open') ? asked : types.map(({ name }) => name)).slice(0, OPEN)
    const range = rangeOf(query, nowMs, instantOf(record['inserted']))
    const quiet = await Promise.all(
      open.map(async (name) => {
        const words = await allZeroWords(name, range, (options) => services.graphs.device(deviceId, name, options))
        return words === null ? [] : [[name, words] as const]
      }),
    )
    return { types, open, quiet: new Map(quiet.flat()) }
  },
  view({ types, open, quiet }, visit, subject) {
    const range = rangeOf(visit.query, visit.nowMs, instantOf(subject.record['inserted']))
    if (types.length === 0)
      return (
        <section class="card">
          <Empty
            title="No graphs yet"
            help={['how-to/troubleshooting#no-graph-or-a-graph-with-gaps', 'When a graph stays empty']}
          >
            <p>{firstPoll(subject, visit) ?? 'The first values come with the second poll.'}</p>
          </Empty>
        </section>
      )
    const toggled = (name: string) => {
      const next = open.includes(name) ? open.filter((one) => one !== name) : [...open, name].slice(-OPEN)
      return withQuery(visit.query, { open: next.join() || 'none' })
    }
    return (
      <>
        <RangeBar range={range} query={visit.query} />
        <div class="names">
          {types.map(({ name, desc }) => (
            <a class="chip" href={toggled(name)} aria-current={open.includes(name) ? 'true' : null}>
              {titleOf(desc)}
            </a>
          ))}
        </div>
        <div class="graphs">
          {types
            .filter(({ name }) => open.includes(name) && !quiet.has(name))
            .map((type) => (
              <ChartCard spec={specOf(subject, type)} range={range} empty={firstPoll(subject, visit)} />
            ))}
        </div>
        {types.map((type) => {
          const words = quiet.get(type.name)
          return words === undefined ? null : <QuietChart spec={specOf(subject, type)} range={range} words={words} />
        })}
      </>
    )
  },
})
