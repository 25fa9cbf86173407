import { formOf, octetsText } from '../../../lib/measure.ts'
import { shortNumber } from '../../../lib/si.ts'
import { MAX_NAME } from './amounts.ts'
import type { RowView } from './row-view.ts'
import { compares, type FaultWords, firstOf, inForm, labelled, limitWords, percentWords, words } from './words.ts'

const named = (text: string, otherwise: string): string => `: ${text === '' ? otherwise : text}`

/** A sensor: the name of its state, or its value with its limit. */
export function sensorWords(view: RowView): FaultWords | null {
  const table = view.has('sensors') ? 'sensors' : 'wireless_sensors'
  const kind = table === 'sensors' ? 'sensor' : 'wireless'
  const current = `${table}.sensor_current`
  const name = named(view.text(`${table}.sensor_descr`, MAX_NAME), kind === 'sensor' ? 'a sensor' : 'a wireless value')
  const value = view.number(current)
  const known = view.held.some(
    ({ field }) => field === current || /^macros\.(state_|pdu_|device_component_)/.test(field),
  )
  if (!known && !view.held.some(({ field }) => field.startsWith('state_translations.'))) return null
  const sensorClass = view.text(`${table}.sensor_class`, 40)
  if (sensorClass === 'state' || view.has('state_translations')) return stateWords(view, name, value)
  if (value === null) return words(name, 'has an unknown value')
  const form = inForm(formOf(kind, sensorClass))
  const before = view.number(`${table}.sensor_prev`)
  const aside = before === null || before === value ? '' : `before: ${form(before)}`
  return words(name, `is ${form(value)}${limitWords(view, [current], form)}`, { aside })
}

const GENERIC = ['ok', 'a warning', 'critical', 'unknown']

function stateWords(view: RowView, name: string, value: number | null): FaultWords {
  const number = value === null ? '' : shortNumber(value, 3)
  // a row of another state of the set is no name for this value
  const isOwn = value !== null && view.number('state_translations.state_value') === value
  const state = isOwn ? view.text('state_translations.state_descr', MAX_NAME) : ''
  const meaning = isOwn ? GENERIC[view.number('state_translations.state_generic_value') ?? -1] : undefined
  const also = meaning === undefined || meaning === state.toLowerCase() ? [] : [`which is ${meaning}`]
  if (state === '') return words(name, number === '' ? 'is in an unknown state' : `is in state ${number}`)
  return words(name, `is ${state} (${number})`, { also })
}

/** The load of a processor. */
export function processorWords(view: RowView): FaultWords | null {
  const field = 'processors.processor_usage'
  const load = view.number(field)
  if (load === null || !compares(view, field)) return null
  const name = view.text('processors.processor_descr', MAX_NAME)
  return words(
    named(name, 'a processor'),
    `has a load of ${percentWords(load)}${limitWords(view, [field], percentWords)}`,
  )
}

/** How full memory is. */
export function memoryWords(view: RowView): FaultWords | null {
  const field = 'mempools.mempool_perc'
  const name = view.text('mempools.mempool_descr', MAX_NAME)
  const share = view.number(field)
  if (share === null || !view.held.some((one) => one.field.startsWith('mempools.mempool_'))) return null
  const also = [freeOf(view.number('mempools.mempool_free'), view.number('mempools.mempool_total'))]
  return words(
    `: memory ${name}`.trimEnd(),
    `is ${percentWords(share)} full${limitWords(view, [field], percentWords)}`,
    { also },
  )
}

/** How full a file system is. */
export function storageWords(view: RowView): FaultWords | null {
  const share = view.number('storage.storage_perc')
  if (share === null || !view.held.some((one) => one.field.startsWith('storage.storage_'))) return null
  const name = view.text('storage.storage_descr', MAX_NAME)
  const also = [freeOf(view.number('storage.storage_free'), view.number('storage.storage_size'))]
  const limit = limitWords(view, ['storage.storage_perc'], percentWords)
  const free = limitWords(view, ['storage.storage_free'], octetsText)
  return words(named(name, 'a file system'), `is ${percentWords(share)} full${limit}${free}`, { also })
}

const freeOf = (free: number | null, size: number | null): string =>
  free === null || size === null || size <= 0 ? '' : `${octetsText(free)} of ${octetsText(size)} free`

/** What is left of a printer's supply. */
export function supplyWords(view: RowView): FaultWords | null {
  const field = 'printer_supplies.supply_current'
  const left = view.number(field)
  if (left === null || !compares(view, field)) return null
  const name = firstOf(view, ['printer_supplies.supply_descr', 'printer_supplies.supply_type'], MAX_NAME)
  return words(named(name, 'a supply'), `has ${percentWords(left)} left${limitWords(view, [field], percentWords)}`)
}

const SERVICE_STATES = ['is ok', 'has a warning', 'is critical', 'is in an unknown state']

/** The result of a service check. */
export function serviceWords(view: RowView): FaultWords | null {
  const status = view.number('services.service_status')
  if (status === null) return null
  const type = view.text('services.service_type', 40)
  const name = firstOf(view, ['services.service_name', 'services.service_desc'], MAX_NAME)
  const both = name === '' || name === type ? type : `${name} (${type})`
  const message = view.text('services.service_message', 200)
  return words(`: service ${both}`.trimEnd(), SERVICE_STATES[status] ?? `is in state ${shortNumber(status, 0)}`, {
    also: message === '' ? [] : [`“${message}”`],
  })
}

/** A part of a device that another program describes. */
export function componentWords(view: RowView): FaultWords | null {
  const status = view.number('component.status')
  if (status === null) return null
  const name = firstOf(view, ['component.label', 'component.type'], MAX_NAME)
  const error = view.text('component.error', 200)
  return words(`: ${name === '' ? 'a component' : name}`, SERVICE_STATES[status] ?? `is in state ${status}`, {
    also: [labelled('error', error)],
  })
}
