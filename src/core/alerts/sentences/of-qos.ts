import { measureText } from '../../../lib/measure.ts'
import { MAX_NAME } from './amounts.ts'
import { portName } from './of-ports.ts'
import type { RowView } from './row-view.ts'
import { compares, type FaultWords, inForm, limitWords, percentWords, words } from './words.ts'

const BITS = { unit: 'bit/s', prefixes: 'large' } as const
const PACKETS = { unit: 'packets/s', prefixes: 'large' } as const

const [BITS_DROPPED, PACKETS_DROPPED] = ['qos_classes.dropped_rate', 'qos_classes.dropped_packets_rate']

/** A class of a QoS policy that drops packets. */
export function qosWords(view: RowView): FaultWords | null {
  const name = view.text('qos_classes.class', MAX_NAME)
  const byBits = compares(view, BITS_DROPPED)
  const [field, form] = byBits ? [BITS_DROPPED, BITS] : [PACKETS_DROPPED, PACKETS]
  const dropped = view.number(field)
  if (name === '' || dropped === null || !compares(view, field)) return null
  const offered = view.number(byBits ? 'qos_classes.offered_rate' : 'qos_classes.offered_packets_rate')
  const share = offered !== null && offered > 0 && dropped <= offered ? (100 * dropped) / offered : null
  return words(
    `: class ${name}${ofPolicy(view)}`,
    `drops ${measureText(form, dropped)}${limitWords(view, [field], inForm(form))}`,
    { also: share === null ? [] : [`${percentWords(share)} of what it is offered`] },
  )
}

/** ` of policy WAN on Gi0/7 (output)`. */
function ofPolicy(view: RowView): string {
  const policy = view.text('qos_classes.policy', MAX_NAME)
  const port = view.has('ports') ? portName(view) : ''
  const place = port === '' ? view.text('qos_classes.circuit', MAX_NAME) : port
  const direction = view.text('qos_classes.direction', 8)
  return [
    policy === '' ? '' : ` of policy ${policy}`,
    place === '' ? '' : ` on ${place}`,
    direction === '' ? '' : ` (${direction})`,
  ].join('')
}
