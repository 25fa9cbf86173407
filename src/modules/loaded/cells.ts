import type { SnmpValue } from '@portlight/snmp/value.ts'
import type { FormOs, FormWalk } from '../../librenms/form.ts'
import { type Reading, valueText } from './text.ts'

/** What was read: values by the object's OID without instance, then by index. */
export type Values = ReadonlyMap<string, ReadonlyMap<string, SnmpValue>>

/** The values read for one definition, as text, by the names that the definition uses. */
export class Cells {
  private readonly covered = new Map<string, boolean>()
  /** Indexes by the OID of the walk, cached because most items share a table with others. */
  private readonly indexes = new Map<string, readonly string[]>()
  private readonly labelled: boolean

  constructor(
    private readonly form: FormOs,
    private readonly values: Values,
    private readonly reading: Reading,
    private readonly walks: readonly FormWalk[],
  ) {
    this.labelled = walks.some(({ labels }) => labels)
  }

  /** The text of a named object at an index; undefined if no walk covers it or the agent has no value. */
  text(name: string, index: string): string | undefined {
    const object = this.form.objects[name]
    if (object === undefined || !this.isCovered(name)) return undefined
    const value = this.values.get(object.oid)?.get(index)
    if (value === undefined) return undefined
    const label = this.withLabels(object.oid) && value.kind === 'Integer32' ? object.labels?.[value.value] : undefined
    return label ?? valueText(value, object, this.reading)
  }

  /** True if the first walk that covers an object asked for labels. */
  private withLabels(oid: string): boolean {
    if (!this.labelled) return false
    return this.walks.find((walk) => oid === walk.oid || oid.startsWith(`${walk.oid}.`))?.labels ?? false
  }

  /** Indexes of the rows that a walk found, in the order in which the agent reports them: column by column. */
  rows(walk: FormWalk): readonly string[] {
    if (walk.instance !== null) return this.values.get(walk.oid)?.has(walk.instance) === true ? [walk.instance] : []
    const known = this.indexes.get(walk.oid)
    if (known !== undefined) return known
    const found = new Set<string>()
    const below = [...this.values.keys()].filter((oid) => oid === walk.oid || oid.startsWith(`${walk.oid}.`))
    for (const oid of below.sort(byOid)) for (const index of this.values.get(oid)?.keys() ?? []) found.add(index)
    const indexes = [...found]
    this.indexes.set(walk.oid, indexes)
    return indexes
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
