import type { SnmpValue } from '@portlight/snmp/value.ts'
import type { FormOs, FormWalk } from '../../librenms/form.ts'
import { PRINTING, type Printing, type Reading, valueText } from './text.ts'

/** What was read: values by the object's OID without instance, then by index. */
export type Values = ReadonlyMap<string, ReadonlyMap<string, SnmpValue>>

/** The values read for one definition, as text, by the names that the definition uses. */
export class Cells {
  private readonly covered = new Map<string, boolean>()
  /** Indexes by the OID of the walk, cached because most items share a table with others. */
  private readonly indexes = new Map<string, readonly string[]>()
  private readonly printings = new Map<string, Printing>()
  /** True: every walk is printed as usual. */
  private readonly usual: boolean

  constructor(
    private readonly form: FormOs,
    private readonly values: Values,
    private readonly reading: Reading,
    private readonly walks: readonly FormWalk[],
  ) {
    this.usual = walks.every(({ labels, hints, clock, octets }) => !labels && !hints && !clock && octets === undefined)
  }

  /** The text of a named object at an index; undefined if no walk covers it or the agent has no value. */
  text(name: string, index: string): string | undefined {
    const object = this.form.objects[name]
    if (object === undefined) return this.numeric(name)
    if (!this.isCovered(name)) return undefined
    const value = this.values.get(object.oid)?.get(index)
    if (value === undefined) return undefined
    return valueText(value, object, this.usual ? this.reading : this.printingOf(object.oid))
  }

  /** The text of an object given as a numeric OID, which every row can refer to. */
  private numeric(text: string): string | undefined {
    const oid = this.form.instances[text]
    const value = oid === undefined ? undefined : this.values.get(oid)?.get('')
    return value === undefined ? undefined : valueText(value, undefined, this.reading)
  }

  /** How the first walk that covers an object asked for its values. */
  private printingOf(oid: string): Printing {
    const known = this.printings.get(oid)
    if (known !== undefined) return known
    const walk = this.walks.find((walk) => oid === walk.oid || oid.startsWith(`${walk.oid}.`))
    const usual = PRINTING[this.reading]
    const printing = {
      labels: walk?.labels ?? usual.labels,
      hints: walk?.hints ?? usual.hints,
      clock: walk?.clock ?? usual.clock,
      octets: walk?.octets ?? usual.octets,
    }
    this.printings.set(oid, printing)
    return printing
  }

  /** Indexes of the rows that a walk found, in the order in which the agent reports them: column by column. */
  rows(walk: FormWalk): readonly string[] {
    if (walk.instance !== null) return this.at(walk.oid, walk.instance)
    const known = this.indexes.get(walk.oid)
    if (known !== undefined) return known
    const found = new Set<string>()
    const below = [...this.values.keys()].filter((oid) => oid === walk.oid || oid.startsWith(`${walk.oid}.`))
    for (const oid of below.sort(byOid)) for (const index of this.values.get(oid)?.keys() ?? []) found.add(index)
    const indexes = [...found]
    this.indexes.set(walk.oid, indexes)
    return indexes
  }

  /** The index of a single instance; if the agent has none there, the indexes below it. */
  private at(oid: string, instance: string): readonly string[] {
    const column = this.values.get(oid)
    if (column === undefined || column.has(instance)) return column === undefined ? [] : [instance]
    return [...column.keys()].filter((index) => index.startsWith(`${instance}.`))
  }

  private isCovered(name: string): boolean {
    const known = this.covered.get(name)
    if (known !== undefined) return known
    const oid = this.form.objects[name]?.oid ?? ''
    const covered = this.walks.some(
      (walk) => oid === walk.oid || (walk.instance === null && oid.startsWith(`${walk.oid}.`)),
    )
    this.covered.set(name, covered)
    return covered
  }
}

function byOid(a: string, b: string): number {
  return a.localeCompare(b, 'en', { numeric: true })
}
