import { colons } from '../../../lib/mac.ts'
import { MAX_NAME, spanWords } from './amounts.ts'
import { portName } from './of-ports.ts'
import type { RowView } from './row-view.ts'
import { type FaultWords, firstOf, labelled, words } from './words.ts'

const compares = (view: RowView, fields: RegExp) => view.held.some(({ field }) => fields.test(field))

/** '': the row has no port. */
const portOf = (view: RowView) => (view.has('ports') ? portName(view) : '')

/** An IS-IS adjacency that is not up, or that the router no longer reports. */
export function isisWords(view: RowView): FaultWords | null {
  const state = view.text('isis_adjacencies.isisISAdjState', 20)
  if (!compares(view, /^isis_adjacencies\.(isisISAdjState|isisCircAdminState|lost_at)$/) || state === '') return null
  const system = view.text('isis_adjacencies.isisISAdjNeighSysID', 32)
  const address = view.text('isis_adjacencies.isisISAdjIPAddrAddress', 45)
  const who = address === '' ? system : `${address}${system === '' ? '' : ` (${system})`}`
  const isLost = (view.number('isis_adjacencies.lost_at') ?? 0) > 0
  const port = portOf(view)
  return words(`: IS-IS adjacency with ${who}${port === '' ? '' : ` on ${port}`}`, isLost ? 'was lost' : `is ${state}`)
}

/** A spanning tree whose topology or root changed. */
export function treeWords(view: RowView): FaultWords | null {
  const tree = view.text('stp.instance', 32)
  if (tree === '') return null
  const address = colons(view.text('stp.designatedRoot', 12))
  const priority = view.number('stp.rootPriority')
  const root = address === '' || priority === null ? address : `${address} with priority ${priority}`
  if (compares(view, /^stp\.(designatedRoot|rootPriority|is_root)$/) && root !== '') {
    const isRoot = view.number('stp.is_root') === 1
    return words(`: root of spanning tree ${tree}`, `is ${root}${isRoot ? ', the device itself' : ''}`)
  }
  const seconds = view.number('stp.timeSinceTopologyChange')
  if (!compares(view, /^stp\.timeSinceTopologyChange$/) || seconds === null) return null
  return words(`: topology of spanning tree ${tree}`, `changed ${spanWords(seconds)} ago`, {
    also: [labelled('root bridge', root)],
    lasts: false,
  })
}

/** A port that a spanning tree blocks, or that has another role than it should. */
export function treePortWords(view: RowView): FaultWords | null {
  const tree = view.text('ports_stp.instance', 32)
  const state = view.text('ports_stp.state', 20)
  if (tree === '' || state === '' || !compares(view, /^ports_stp\.(state|role)$/)) return null
  const name = portOf(view) || `bridge port ${view.text('ports_stp.port_index', 10)}`
  return words(`: ${name} in spanning tree ${tree}`, `is ${state}`, {
    also: [labelled('role', firstOf(view, ['ports_stp.role'], MAX_NAME))],
  })
}
