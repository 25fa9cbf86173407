import { invalid, unusable } from '../../../core/base/errors.ts'
import type { BillWindow } from '../../../core/bills/graphs.ts'
import type { BillRequest, BillValues } from '../../../core/bills/service.ts'
import { parseTimeRange } from '../../../lib/at-time.ts'
import { members } from '../../body.ts'
import { rowId } from '../lookup.ts'

type Body = Readonly<Record<string, unknown>>

const TYPES = ['quota', 'cdr'] as const
const DIRECTIONS = ['in', 'out', 'agg'] as const

/** Parses the body of create_edit_bill. Throws `unusable` if it is missing, `invalid` for invalid values. */
export function billRequest(json: unknown): BillRequest {
  const body = members(json)
  if (Object.keys(body).length === 0) throw unusable('Invalid JSON data')
  const { bill_id: id } = body
  return {
    billId: id === undefined || id === null || id === '' ? null : rowId(String(id)),
    ports: portsOf(body['ports']),
    values: {
      ...member(body, 'bill_name', textOf),
      ...member(body, 'bill_type', (value) => oneOf('bill_type', TYPES, value)),
      ...member(body, 'bill_cdr', (value) => amountOf(value, 'Invalid value for bill_cdr. Must be numeric.')),
      ...member(body, 'bill_day', dayOf),
      ...member(body, 'bill_quota', (value) => amountOf(value, 'Invalid value for bill_quota. Must be numeric')),
      ...member(body, 'bill_custid', textOf),
      ...member(body, 'bill_ref', textOf),
      ...member(body, 'bill_notes', textOf),
      ...member(body, 'dir_95th', (value) => oneOf('dir_95th', DIRECTIONS, value)),
    },
  }
}

/** The member if it was sent; null counts as not sent. */
function member<const N extends keyof BillValues>(
  body: Body,
  name: N,
  of: (value: unknown) => Exclude<BillValues[N], undefined>,
): { [K in N]?: Exclude<BillValues[N], undefined> } {
  const value = body[name]
  const none: { [K in N]?: Exclude<BillValues[N], undefined> } = {}
  return value === undefined || value === null ? none : { ...none, [name]: of(value) }
}

function textOf(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

function oneOf<const T extends string>(name: string, allowed: readonly T[], value: unknown): T {
  const found = allowed.find((one) => one === value)
  if (found === undefined) throw invalid(`Invalid value for ${name}: ${textOf(value)}. Allowed: ${allowed.join(',')}`)
  return found
}

/** A non-negative safe integer, as number or text. */
function amountOf(value: unknown, refusal: string): number {
  const number = typeof value === 'number' || (typeof value === 'string' && value.trim() !== '') ? Number(value) : -1
  if (!(number >= 0 && number <= Number.MAX_SAFE_INTEGER)) throw invalid(refusal)
  return Math.round(number)
}

function dayOf(value: unknown): number {
  const text = textOf(value).trim()
  const day = /^\d{1,2}$/.test(text) ? Number(text) : 0
  if (day < 1 || day > 31) throw invalid('Invalid value for bill_day. range: 1-31')
  return day
}

/** Ports as ids; invalid ones are kept unchanged so that the error can name them. */
function portsOf(value: unknown): (number | string)[] | null {
  if (value === undefined || value === null) return null
  const list: unknown[] = Array.isArray(value) ? value : [value]
  return list.map((one) => {
    const id = typeof one === 'number' || typeof one === 'string' ? rowId(String(one)) : -1
    return id > 0 ? id : textOf(one)
  })
}

const DAY_S = 86_400

/** The time range of bill graphs, by default the last day. Throws 400 for an invalid time. */
export function billWindow({ from, to }: { readonly from?: string; readonly to?: string }): BillWindow {
  const nowS = Math.floor(Date.now() / 1000)
  const range = parseTimeRange(from ?? String(nowS - DAY_S), to ?? String(nowS), nowS)
  if (range.kind !== 'ok') throw invalid(range.message)
  return { fromS: range.fromS, toS: range.toS }
}

/** Samples per point; null: the default, also for invalid numbers. */
export function factorOf(text: string | undefined): number | null {
  return text !== undefined && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : null
}
