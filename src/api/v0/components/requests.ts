import type { ComponentChange } from '../../../domain/components/service.ts'
import { failed } from '../../../domain/errors.ts'
import { members } from '../../body.ts'
import { rowId } from '../lookup.ts'

/** Members of a component that are no attributes. */
const RESERVED: ReadonlySet<string> = new Set(['type', 'label', 'status', 'ignore', 'disabled', 'error'])
const MOST_SMALL = 32_767

/** The body of edit_components: components by id. Throws 500 for what is none. Unknown ids stay in; the store passes over them. */
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

/** The member where it was sent: null makes text empty and numbers 0. */
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

/** Numbers as LibreNMS casts them: the whole part, 0 for what is none. Throws 500 for what the column cannot hold. */
function smallOf(value: unknown): number {
  if (typeof value === 'boolean') return value ? 1 : 0
  const number = Math.trunc(Number.parseFloat(textOf(value))) || 0
  if (Math.abs(number) > MOST_SMALL) throw refusal()
  return number
}

const refusal = () => failed('Components could not be edited.')
