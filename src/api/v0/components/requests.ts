import { unusable } from '../../../core/base/errors.ts'
import type { ComponentChange } from '../../../core/components/service.ts'
import { members } from '../../body.ts'
import { rowId } from '../lookup.ts'

/** Members of a component that are not attributes. */
const RESERVED: ReadonlySet<string> = new Set(['type', 'label', 'status', 'ignore', 'disabled', 'error'])
const MAX_SMALLINT = 32_767

/** Parses the body of edit_components: components by id. Throws `unusable` if invalid. The store ignores unknown ids. */
export function componentChanges(json: unknown): ComponentChange[] {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) throw refusal()
  return Object.entries(json).map(([id, value]) => change(rowId(id), value))
}

function change(id: number, value: unknown): ComponentChange {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw refusal()
  const body = members(value)
  const attributes = Object.entries(body).flatMap(([name, one]) =>
    RESERVED.has(name) || one === null ? [] : [[name, textOf(one)] as const],
  )
  return {
    id,
    ...reserved(body, 'label', textOf),
    ...reserved(body, 'error', textOf),
    ...reserved(body, 'status', smallOf),
    ...reserved(body, 'ignore', smallOf),
    ...reserved(body, 'disabled', smallOf),
    attributes: Object.fromEntries(attributes),
  }
}

/** The member if it was sent: null becomes empty text or 0. */
function reserved<const N extends string, T>(
  body: Readonly<Record<string, unknown>>,
  name: N,
  of: (value: unknown) => T,
): { [K in N]?: T } {
  const named: { [K in N]?: T } = {}
  return name in body ? { ...named, [name]: of(body[name]) } : named
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'string') return value
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** Casts to a number like LibreNMS: the whole part, 0 if not a number. Throws `unusable` if out of range. */
function smallOf(value: unknown): number {
  if (typeof value === 'boolean') return value ? 1 : 0
  const number = Math.trunc(Number.parseFloat(textOf(value))) || 0
  if (Math.abs(number) > MAX_SMALLINT) throw refusal()
  return number
}

const refusal = () => unusable('Components could not be edited.')
