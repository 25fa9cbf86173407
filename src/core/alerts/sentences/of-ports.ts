import { readable } from '../../../lib/si.ts'
import { MAX_NAME, spanWords } from './amounts.ts'
import type { Held, RowView } from './row-view.ts'
import { compares, type FaultWords, firstOf, labelled, limitWords, percentWords, words } from './words.ts'

/** The name that people give a port. */
export const portName = (view: RowView): string =>
  firstOf(view, ['ports.ifName', 'ports.ifDescr'], MAX_NAME) || labelled('ifIndex', view.text('ports.ifIndex'))

const USAGE = {
  'macros.port_usage_perc': '',
  'macros.port_in_usage_perc': ' in',
  'macros.port_out_usage_perc': ' out',
} as const
const ERRORS = { 'macros.port_in_error_perc': 'received', 'macros.port_out_error_perc': 'sent' } as const

/** A fault of a port: its state, its use, its errors; null: something else is compared. */
export function portWords(view: RowView): FaultWords | null {
  const subject = ` ${portName(view)}`
  const also = [aliasOf(view), neighbourOf(view)]
  return usedWords(view, subject, also) ?? errorWords(view, subject, also) ?? stateWords(view, subject, also)
}

/** The alias, unless it repeats the name, as agents without one report it. */
function aliasOf(view: RowView): string {
  const alias = view.text('ports.ifAlias', MAX_NAME)
  const names = [view.text('ports.ifName'), view.text('ports.ifDescr')]
  return names.includes(alias) ? '' : labelled('alias', alias)
}

function neighbourOf(view: RowView): string {
  const device = view.text('links.remote_hostname', MAX_NAME)
  return labelled(
    'connected to',
    device === '' ? '' : `${device} ${view.text('links.remote_port', MAX_NAME)}`.trimEnd(),
  )
}

const STATES = /^(macros\.port(_now)?_down|macros\.port_up|ports\.if(Oper|Admin)Status)$/

function stateWords(view: RowView, subject: string, also: readonly string[]): FaultWords | null {
  const state = view.text('ports.ifOperStatus', 20)
  const isState = view.held.some(({ field }) => STATES.test(field) && field !== 'macros.port_up')
  if (state === '' || (!isState && view.held.some(isTelling))) return null
  if (!isState && !compares(view, 'macros.port_up')) return null
  const admin = view.text('ports.ifAdminStatus', 20)
  if (admin === 'down') return words(subject, 'is switched off by configuration', { also })
  const lasted = view.number('ports.ifOperStatus_lasted')
  const before = view.text('ports.ifOperStatus_prev', 20)
  const aside =
    lasted === null || lasted < 1 || before === '' || before === state ? '' : `was ${before} for ${spanWords(lasted)}`
  return words(subject, `is ${state}`, { aside, also })
}

/** Conditions that say more than that the port is in use. */
const isTelling = ({ field }: Held): boolean =>
  !/^macros\.(device(_up)?|port(_up)?|port_has_xdp\w*)$/.test(field) &&
  !/^(devices\.|ports\.(ignore|disabled|deleted)$)/.test(field)

function usedWords(view: RowView, subject: string, also: readonly string[]): FaultWords | null {
  for (const [field, way] of Object.entries(USAGE)) {
    const used = view.number(field)
    if (used === null || !compares(view, field)) continue
    const speed = view.number('ports.ifSpeed')
    const rate = (name: 'In' | 'Out') => {
      const octets = view.number(`ports.if${name}Octets_rate`)
      return octets === null ? '' : `${name.toLowerCase()} ${readable(octets * 8, 'bit/s', 'large')}`
    }
    const of = speed === null || speed <= 0 ? 'its speed' : readable(speed, 'bit/s', 'large')
    const what = `uses ${percentWords(used)} of ${of}${way}${limitWords(view, [field], percentWords)}`
    return words(subject, what, { aside: [rate('In'), rate('Out')].filter((part) => part !== '').join(', '), also })
  }
  return null
}

function errorWords(view: RowView, subject: string, also: readonly string[]): FaultWords | null {
  const parts = Object.entries(ERRORS).flatMap(([field, way]) => {
    const share = view.number(field)
    if (share === null || !compares(view, field)) return []
    const rate = view.number(way === 'received' ? 'ports.ifInErrors_rate' : 'ports.ifOutErrors_rate')
    const each = rate === null ? '' : `, ${readable(rate, '/s', 'large')}`
    return [`errors in ${percentWords(share)} of ${way} packets${limitWords(view, [field], percentWords)}${each}`]
  })
  return parts.length === 0 ? null : words(subject, `has ${parts.join(' and ')}`, { also })
}

/** A BGP session that is not established, or whose values are compared. */
export function bgpWords(view: RowView): FaultWords | null {
  const isCompared = view.held.some(({ field }) => /^bgpPeers\.bgpPeer(State|AdminStatus)$/.test(field))
  const state = view.text('bgpPeers.bgpPeerState', 30)
  if (!isCompared || state === '') return null
  const peer = firstOf(view, ['bgpPeers.bgpPeerIdentifier', 'bgpPeers.bgpPeerRemoteAddr'], MAX_NAME)
  const system = view.number('bgpPeers.bgpPeerRemoteAs')
  const named = [
    system === null || system <= 0 ? '' : `AS ${system}`,
    firstOf(view, ['bgpPeers.bgpPeerDescr', 'bgpPeers.astext'], MAX_NAME),
  ]
  const who = named.filter((part) => part !== '').join(', ')
  const stopped = view.text('bgpPeers.bgpPeerAdminStatus', 20) === 'stop'
  return words(
    `: BGP session with ${peer}${who === '' ? '' : ` (${who})`}`,
    stopped ? 'is switched off by configuration' : `is ${state}`,
    { also: [labelled('last error', view.text('bgpPeers.bgpPeerLastErrorText', MAX_NAME))] },
  )
}

/** A station that was seen, or that moved from port to port. */
export function stationWords(view: RowView): FaultWords | null {
  const table = view.has('mac_moves') ? 'mac_moves' : view.has('sightings') ? 'sightings' : null
  const digits = table === null ? '' : view.text(`${table}.mac_address`, 17)
  if (digits === '') return null
  const mac = /^[0-9a-f]{12}$/i.test(digits) ? (digits.match(/../g) ?? []).join(':') : digits
  const port = view.has('ports') ? portName(view) : ''
  const where = port === '' ? '' : ` on ${port}`
  if (table === 'mac_moves')
    return words('', `saw MAC address ${mac} move${port === '' ? '' : ` to ${port}`}`, { lasts: false })
  const isNew = view.number('sightings.is_new') === 1
  const also = [
    labelled('IP address', view.text('sightings.address', 45)),
    labelled('VLAN', view.text('sightings.vlan', 10)),
  ]
  return words('', `saw MAC address ${mac}${where}${isNew ? ' for the first time' : ''}`, { also, lasts: false })
}
