import { mainWork } from '../../observe/busy.ts'
import type { Graphs } from '../base/graphs.ts'
import type { AlertContext, FaultRow } from './context.ts'
import { faultGraph } from './sentences/fault-graph.ts'
import { type SentenceRule, sentenceRule } from './sentences/sentence.ts'
import { drawChoice, type GraphChoice } from './signed-graphs.ts'
import type { AlertNotification } from './transports/notification.ts'

type Images = AlertNotification['images']

/** Limits: images in a notification, bytes of one image, and ms to draw all. */
const MAX_PICTURES = 3
const MAX_OCTETS = 300_000
const MAX_MS = 5000
/** How many faults are searched for subjects of graphs. */
const MAX_FAULTS = 20
const RANGE_S = 86_400

/** Columns that identify the subject of a fault, and the type of its graph. */
const PARTS = [
  ['processor_id', 'device_processor'],
  ['mempool_id', 'device_mempool'],
  ['storage_id', 'device_storage'],
] as const

function choiceOf(fault: FaultRow, device: number): GraphChoice | null {
  const id = (name: string) => (Number.isSafeInteger(fault[name]) ? Number(fault[name]) : null)
  const port = id('port_id')
  if (port !== null) return { type: 'port_bits', of: 'port', id: port, only: null }
  const sensor = id('sensor_id')
  const { sensor_class: kind } = fault
  if (sensor !== null && typeof kind === 'string')
    return { type: `device_${kind}`, of: 'device', id: device, only: sensor }
  for (const [column, type] of PARTS) {
    const part = id(column)
    if (part !== null) return { type, of: 'device', id: device, only: part }
  }
  return null
}

/** The graph of the value that the rule compares; null: there is none. */
function graphOf(rule: SentenceRule, fault: FaultRow): GraphChoice | null {
  const graph = faultGraph(rule, fault)
  if (graph === null || graph.of === 'service' || graph.of === 'bill') return null
  return { type: graph.type, of: graph.of, id: graph.id, only: graph.only }
}

/** Graphs of the subjects of the faults, such as ports; if there are none, the device's ping graph. */
export function choicesFor({ faults, device_id, name, builder }: AlertContext): GraphChoice[] {
  const rule = sentenceRule({ name, builder })
  const found = new Map<string, GraphChoice>()
  for (const fault of faults.slice(0, MAX_FAULTS)) {
    const choice = graphOf(rule, fault) ?? choiceOf(fault, device_id)
    if (choice !== null && found.size < MAX_PICTURES) found.set(JSON.stringify(choice), choice)
  }
  if (found.size > 0) return [...found.values()]
  return [{ type: 'device_icmp_perf', of: 'device', id: device_id, only: null }]
}

/** Graphs of the day before the change as `graph1`, `graph2`, ... Those that cannot be drawn in time are left out. */
export async function drawPictures(graphs: Graphs, context: AlertContext): Promise<Images> {
  const toS = Math.floor(context.time / 1000)
  const options = { from: String(toS - RANGE_S), to: String(toS), width: '700', height: '200', title: 'yes' }
  const images: { cid: string; png: Uint8Array }[] = []
  const draw = async (): Promise<void> => {
    for (const choice of choicesFor(context)) {
      const outcome = await drawChoice(graphs, choice, options)
      if (outcome.kind === 'image' && outcome.bytes.byteLength <= MAX_OCTETS)
        images.push({ cid: `graph${images.length + 1}`, png: outcome.bytes })
    }
  }
  const finished = mainWork.begin(`pictures of a notification about device ${context.device_id}`)
  await Promise.race([draw().catch(() => undefined), Bun.sleep(MAX_MS)])
  finished()
  return [...images]
}
