import { readable } from '../../../lib/si.ts'
import { amountWords, clockWords, instantOf, MAX_NAME, spanWords } from './amounts.ts'
import type { RowView } from './row-view.ts'
import { compares, type FaultWords, firstOf, labelled, limitWords, percentWords, words } from './words.ts'

const WHY_DOWN: Readonly<Record<string, string>> = { icmp: 'no answer to ping', snmp: 'no answer to SNMP' }

const DAY_S = 86_400

/** The device itself: down, restarted, not polled, slow to answer. `now`: epoch ms. */
export function deviceWords(view: RowView, now: number): FaultWords | null {
  const status = view.number('devices.status')
  if (
    status === 0 &&
    compares(view, 'macros.device_down', 'devices.status', 'macros.packet_loss_5m', 'macros.packet_loss_15m')
  )
    return words('', 'is down', { also: [WHY_DOWN[view.text('devices.status_reason', 20)] ?? ''] })
  const uptime = view.number('devices.uptime')
  if (compares(view, 'devices.uptime') && uptime !== null) {
    const limit = limitWords(view, ['devices.uptime'], spanWords)
    const what =
      uptime < DAY_S ? `was restarted ${spanWords(uptime)} ago` : `has been up for ${spanWords(uptime)}${limit}`
    return words('', what, { lasts: false })
  }
  const polled = instantOf(view.value('devices.last_polled'))
  if (compares(view, 'devices.last_polled') && polled !== null)
    return words('', `was last polled at ${clockWords(polled, now)}`, {
      aside: `${spanWords((now - polled) / 1000)} ago`,
      lasts: false,
    })
  const load = view.number('macros.device_cpu_avg_perc')
  if (compares(view, 'macros.device_cpu_avg_perc'))
    return words(
      '',
      load === null
        ? `has a high mean load of its processors${limitWords(view, ['macros.device_cpu_avg_perc'], percentWords)}`
        : `has a mean load of ${percentWords(load)}`,
    )
  return pingWords(view)
}

const PING = [
  ['device_stats.ping_loss_last', 'loses', '%', ' of pings'],
  ['device_stats.ping_loss_avg', 'lost a mean of', '%', ' of pings within a day'],
  ['device_stats.ping_rtt_last', 'answers ping in', 'ms', ''],
  ['device_stats.ping_rtt_avg', 'answered ping in a mean of', 'ms', ' within a day'],
  ['devices.last_ping_timetaken', 'answers ping in', 'ms', ''],
] as const

function pingWords(view: RowView): FaultWords | null {
  for (const [field, verb, unit, of] of PING) {
    const value = view.number(field)
    if (value === null || !compares(view, field)) continue
    const format = (one: number) => amountWords(one, unit)
    return words('', `${verb} ${format(value)}${of}${limitWords(view, [field], format)}`)
  }
  return null
}

/** How much of a period the device was up. */
export function availabilityWords(view: RowView): FaultWords | null {
  const field = 'availability.availability_perc'
  const share = view.number(field)
  if (share === null || !compares(view, field)) return null
  const period = view.number('availability.duration')
  const within = period === null ? '' : ` of the last ${spanWords(period)}`
  const format = (value: number) => `${Math.floor(value * 1000 + 1e-6) / 1000} %`
  return words('', `was up for ${format(share)}${within}${limitWords(view, [field], format)}`, { lasts: false })
}

/** What a bill used of its allowance or committed rate. */
export function billWords(view: RowView): FaultWords | null {
  const name = view.text('bills.bill_name', MAX_NAME)
  const isQuota = view.text('bills.bill_type', 10).toLowerCase() === 'quota'
  const field = isQuota ? 'macros.bill_quota_over_quota' : 'macros.bill_cdr_over_quota'
  const share = view.number(field)
  if (share === null || !view.held.some((one) => /^(macros\.bill_|bills\.(rate_95th|total_data))/.test(one.field)))
    return null
  const [used, allowed] = isQuota
    ? [view.number('bills.total_data'), view.number('bills.bill_quota')]
    : [view.number('bills.rate_95th'), view.number('bills.bill_cdr')]
  const format = (value: number) => (isQuota ? readable(value, 'B', 'large') : readable(value, 'bit/s', 'large'))
  const also = used === null || allowed === null ? [] : [`${format(used)} of ${format(allowed)}`]
  const of = isQuota ? 'its allowance' : 'its committed rate'
  return words(
    `: bill ${name}`.trimEnd(),
    `uses ${percentWords(share)} of ${of}${limitWords(view, [field], percentWords)}`,
    { also },
  )
}

/** A message of the device, or an event about it, such as a trap. */
export function messageWords(view: RowView): FaultWords | null {
  if (view.has('syslog')) {
    const text = view.text('syslog.msg')
    const program = view.text('syslog.program', MAX_NAME)
    const level = firstOf(view, ['syslog.level', 'syslog.priority'], 20)
    if (text === '') return null
    return words('', `sent “${text}”`, {
      aside: [labelled('syslog', level), labelled('program', program)].filter((part) => part !== '').join(', '),
      lasts: false,
    })
  }
  const text = view.text('eventlog.message')
  const type = view.text('eventlog.type', 40)
  const by = view.text('eventlog.username', MAX_NAME)
  if (text === '') return null
  const what = type === 'trap' ? `sent a trap: ${text}` : `had the event “${text}”`
  return words('', what, { also: [labelled('by', by)], lasts: false })
}
