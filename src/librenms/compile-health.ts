import { isSensorClass, SENSOR_CLASS_NAMES } from '../lib/sensor-classes.ts'
import { TEXT_READINGS } from '../lib/text-readings.ts'
import { FUNCTIONS, functionName } from '../lib/value-functions.ts'
import { type Fault, skipsOf } from './conditions.ts'
import type { FormPool, FormProcessor, FormSensor, FormWalk } from './form.ts'
import { type Names, numericOid, splitInstance } from './names.ts'
import { fieldOf, isMap, listOf, textOf, type YamlMap } from './yaml.ts'

/** Limit of items per file; the largest published one has 400. */
const MAX_ITEMS = 20_000
const MAX_WALKS = 5000
const MAX_STATES = 2000

/** Walks of the shared cache in file order, each text once: those of every item in every module. */
export function walksOf(modules: YamlMap, names: Names, fault: Fault): FormWalk[] {
  const texts = new Map<string, Printing>()
  const take = (items: unknown): void => {
    for (const item of listOf(items)) {
      if (!isMap(item)) continue
      const printing = printingOf(item)
      for (const oid of listOf(item['oid'])) {
        if (texts.size < MAX_WALKS && typeof oid === 'string' && !texts.has(oid)) texts.set(oid, printing)
      }
    }
  }
  for (const module of Object.values(modules)) {
    if (!isMap(module)) continue
    for (const [key, value] of Object.entries(module)) {
      if (key === 'data') take(value)
      else if (isMap(value)) take(value['data'])
    }
  }
  const numbers = [...texts.keys()].filter((text) => numericOid(text) !== null).length
  if (numbers > 0) fault(`${numbers} objects are numeric OIDs, so the columns below them have no names`)
  shortNames(modules, texts, names)
  const values = new Map<string, string>()
  for (const item of itemsIn(modules)) {
    const [oid, value] = [textOf(item['oid']), textOf(item['value'])]
    if (oid !== null && value !== null && !values.has(oid)) values.set(oid, value)
  }
  return [...texts].flatMap(([text, printing]) => {
    const walk = walkOf(text, names, values.get(text))
    const { short, ...rest } = printing
    return walk === null ? [] : [{ ...walk, ...rest }]
  })
}

type Printing = Pick<FormWalk, 'labels' | 'hints' | 'clock' | 'octets'> & { readonly short?: true }

/** A name without its module: the whole text, or a placeholder. */
const SHORT = /^[A-Za-z][\w-]*$|(?<=\{\{ \$?)[A-Za-z][\w-]*(?= \}\})/g

/** Names without a module in items whose walk prints them so: they are of the module that the walk names. */
function shortNames(modules: YamlMap, texts: ReadonlyMap<string, Printing>, names: Names): void {
  for (const item of itemsIn(modules)) {
    const oid = textOf(item['oid'])
    if (oid === null || texts.get(oid)?.short !== true) continue
    for (const value of Object.values(item))
      for (const [label] of (textOf(value) ?? '').matchAll(SHORT)) names.alias(label, oid.split('::')[0] ?? '')
  }
}

/** The items of every module and class. */
function* itemsIn(modules: YamlMap): Generator<YamlMap> {
  for (const module of Object.values(modules)) {
    for (const section of isMap(module) ? [module, ...Object.values(module)] : []) {
      for (const item of isMap(section) ? listOf(section['data']) : []) if (isMap(item)) yield item
    }
  }
}

/** How an item's `snmp_flags` change the texts of its values; they replace all usual flags but the one against hints. */
function printingOf(item: YamlMap): Printing {
  const hints =
    item['snmp_no_Ih_flag'] === undefined || item['snmp_no_Ih_flag'] === null ? {} : { hints: true as const }
  const given = item['snmp_flags']
  if (given === undefined || given === null) return hints
  const letters = listOf(given)
    .flatMap((part) => (textOf(part) ?? '').split(/\s+/))
    .map((word) => /^-O(\w*)$/.exec(word)?.[1] ?? '')
    .join('')
  return {
    ...hints,
    ...(!letters.includes('e') && { labels: true as const }),
    ...(!letters.includes('t') && { clock: true as const }),
    ...(!letters.includes('a') && { octets: letters.includes('x') ? ('hex' as const) : ('guess' as const) }),
    ...(/s/.test(letters) && !letters.includes('S') && { short: true as const }),
    // of two output formats the last one counts
    ...(letters.lastIndexOf('x') > letters.lastIndexOf('a') && { octets: 'hex' as const }),
  }
}

/** `value`: the column that an item reads from the walk. */
function walkOf(text: string, names: Names, value?: string): FormWalk | null {
  const { name, instance } = splitInstance(text)
  const object = names.object(name)
  if (object === null) return null
  if (instance !== null) {
    const oid = names.instance(text)
    if (oid === null) return null
    const column = value === undefined ? null : names.object(splitInstance(value).name)
    // the OID of a table may be continued to one of its columns or rows, which are named after the column
    if (object.kind !== 'scalar' && object.kind !== 'column' && column !== null) {
      if (oid === column.oid || column.oid.startsWith(`${oid}.`)) return { text, oid, instance: null }
      if (oid.startsWith(`${column.oid}.`)) return { text, oid: column.oid, instance: oid.slice(column.oid.length + 1) }
    }
    return { text, oid: object.oid, instance: oid.slice(object.oid.length + 1) }
  }
  return { text, oid: object.oid, instance: null }
}

export function sensorsOf(module: YamlMap, names: Names, fault: Fault): FormSensor[] {
  const found: FormSensor[] = []
  for (const key of Object.keys(module)) {
    if (key !== 'additional_oids' && !isSensorClass(key)) fault(`sensors.${key}: unknown class`)
  }
  for (const sensorClass of SENSOR_CLASS_NAMES) {
    const section = module[sensorClass]
    if (!isMap(section)) continue
    const options = isMap(section['options']) ? section['options'] : {}
    for (const [i, item] of listOf(section['data']).entries()) {
      if (!isMap(item) || found.length >= MAX_ITEMS) continue
      const sensor = sensorOf(sensorClass, options, item, (text) => fault(`sensors.${sensorClass}[${i}]: ${text}`))
      if (sensor === null) continue
      const object = names.object(splitInstance(sensor.value).name)
      found.push(
        sensor.numOid === null && object !== null ? { ...sensor, numOid: `${object.oid}.{{ $index }}` } : sensor,
      )
    }
  }
  return found
}

function sensorOf(sensorClass: string, options: YamlMap, item: YamlMap, fault: Fault): FormSensor | null {
  const oid = textOf(item['oid'])
  const descr = fieldOf(item['descr'])
  if (oid === null || descr === null) {
    fault('oid or descr is missing')
    return null
  }
  const given = textOf(item['user_func'])
  const func = given === null ? null : functionName(given)
  if (func !== null && !Object.hasOwn(FUNCTIONS, func) && !Object.hasOwn(TEXT_READINGS, func)) {
    fault(`function ${given} is unknown, so the sensor is left out`)
    return null
  }
  const number = (key: string): number | null => {
    const value = item[key] ?? options[key]
    return typeof value === 'number'
      ? value
      : value === undefined || value === null
        ? null
        : Number(textOf(value) ?? Number.NaN)
  }
  const rrd = textOf(item['rrd_type'])
  return {
    class: sensorClass,
    ...(rrd !== null && RRD_TYPES.has(rrd) && { rrd }),
    oid,
    value: textOf(item['value']) ?? oid,
    numOid: textOf(item['num_oid']),
    descr,
    index: fieldOf(item['index']),
    group: fieldOf(item['group']),
    divisor: fieldOf(item['divisor']) ?? fieldOf(options['divisor']) ?? 1,
    multiplier: fieldOf(item['multiplier']) ?? fieldOf(options['multiplier']) ?? 1,
    high: fieldOf(item['high_limit']),
    warn: fieldOf(item['warn_limit']),
    low: fieldOf(item['low_limit']),
    lowWarn: fieldOf(item['low_warn_limit']),
    scaled: item['skip_limits_calc'] !== true,
    below: number('skip_value_lt'),
    above: number('skip_value_gt'),
    func,
    entity: fieldOf(item['entPhysicalIndex']),
    measured: textOf(item['entPhysicalIndex_measured']),
    stateName: sensorClass === 'state' ? (textOf(item['state_name']) ?? oid) : null,
    states: sensorClass === 'state' ? statesOf(item['states']) : null,
    skip: skipsOf(options['skip_values'], item['skip_values'], fault),
  }
}

/** Kinds of values other than a gauge. */
const RRD_TYPES: ReadonlySet<string> = new Set(['COUNTER', 'DERIVE', 'DCOUNTER', 'DDERIVE', 'ABSOLUTE'])

function statesOf(value: unknown): NonNullable<FormSensor['states']> {
  return listOf(value)
    .slice(0, MAX_STATES)
    .flatMap((state) => {
      if (!isMap(state)) return []
      const number = Number(textOf(state['value']) ?? Number.NaN)
      const descr = textOf(state['descr'])
      if (!Number.isFinite(number) || descr === null) return []
      return [{ value: number, generic: Number(textOf(state['generic']) ?? 3), descr }]
    })
}

export function processorsOf(module: YamlMap, fault: Fault): FormProcessor[] {
  return itemsOf(module).flatMap(([item, place]) => {
    const oid = textOf(item['oid'])
    const numOid = textOf(item['num_oid'])
    if (oid === null || numOid === null) {
      fault(`processors${place}: oid or num_oid is missing`)
      return []
    }
    return [
      {
        oid,
        numOid,
        value: textOf(item['value']) ?? oid,
        index: fieldOf(item['index']),
        descr: fieldOf(item['descr']),
        type: fieldOf(item['type']),
        precision: fieldOf(item['precision']),
        warn: fieldOf(item['warn_percent']),
        entity: fieldOf(item['entPhysicalIndex']),
        hrDevice: fieldOf(item['hrDeviceIndex']),
        skip: skipsOf(undefined, item['skip_values'], (text) => fault(`processors${place}: ${text}`)),
      },
    ]
  })
}

/** Memory pools or disks. */
export function poolsOf(kind: 'mempools' | 'storage', module: YamlMap, names: Names, fault: Fault): FormPool[] {
  return itemsOf(module).map(([item, place]) => {
    const disk = kind === 'storage'
    const field = (key: string): string | number | null => {
      const value = fieldOf(item[key])
      // looks the name up so that its object is kept
      if (typeof value === 'string' && names.instance(value) === null && value.includes('::'))
        fault(`${kind}${place}: ${value} is unknown`)
      return value
    }
    const polled = Object.fromEntries(
      (['used', 'free', 'percent'] as const).flatMap((key) => {
        const oid = textOf(item[key === 'percent' ? 'percent_used_num_oid' : `${key}_num_oid`])
        return oid === null ? [] : [[key, oid]]
      }),
    )
    return {
      oid: textOf(item['oid']),
      total: field(disk ? 'size' : 'total'),
      used: field('used'),
      free: field('free'),
      percent: field('percent_used'),
      polled,
      unit: fieldOf(item[disk ? 'units' : 'precision']),
      descr: fieldOf(item['descr']),
      index: fieldOf(item['index']),
      type: textOf(item[disk ? 'poller_type' : 'type']),
      kind: fieldOf(item[disk ? 'type' : 'class']),
      warn: fieldOf(item['warn_percent']),
      skip: skipsOf(undefined, item['skip_values'], (text) => fault(`${kind}${place}: ${text}`)),
    }
  })
}

function itemsOf(module: YamlMap): (readonly [YamlMap, string])[] {
  return listOf(module['data'])
    .slice(0, MAX_ITEMS)
    .flatMap((item, i) => (isMap(item) ? [[item, `[${i}]`] as const] : []))
}
