import { parseTemplate } from '@portlight/templates/parse.ts'
import type { Installation } from './context.ts'
import { type Row, textOf } from './source.ts'
import { widened } from './status-reasons.ts'
import { jsonOf } from './values.ts'
import type { JsonValue } from './write-tables.ts'

/** Conditions of rules and groups, as they are written here. */
export interface Conditions {
  /** The installation gives a device without any answer the status reason `icmp` alone, where it is `icmp,snmp` here. */
  readonly beforeBothReasons: boolean
  /**
   * A builder's text with the meaning that it had in the installation. `problem`: why it cannot be evaluated here; null:
   * it can. `whose` names its owner in notes.
   */
  convert(builder: string, whose: string): { readonly builder: string; readonly problem: string | null }
}

interface ConditionsOptions {
  readonly beforeBothReasons: boolean
  readonly note: (text: string) => void
  /** Why a builder cannot be evaluated; null: it can. */
  readonly check: (builder: unknown) => string | null
}

/** Fields by their former names. */
const RENAMED: Readonly<Record<string, string>> = { 'devices.location': 'locations.location' }
const MAX_DEPTH = 50

export function conditionsOf({ beforeBothReasons, note, check }: ConditionsOptions): Conditions {
  return {
    beforeBothReasons,
    convert(text, whose) {
      const given = jsonOf(text)
      const renamed = renamedFields(given, 0)
      const { builder, changed } = beforeBothReasons ? widened(renamed) : { builder: renamed, changed: false }
      if (changed)
        note(`${whose} also covers the status reason "icmp,snmp", which devices without any answer have here`)
      const same = builder === given
      return { builder: same ? text : JSON.stringify(builder), problem: check(builder) }
    },
  }
}

/** The builder with the present names of fields; the object that was given if there is nothing to change. */
function renamedFields(node: JsonValue, depth: number): JsonValue {
  if (typeof node !== 'object' || node === null || depth > MAX_DEPTH) return node
  if (isList(node)) {
    const members = node.map((member) => renamedFields(member, depth + 1))
    return members.every((member, i) => member === node[i]) ? node : members
  }
  const field = RENAMED[String(node['field'] ?? node['id'] ?? '')]
  if (field !== undefined) return { ...node, id: field, field }
  const rules = renamedFields(node['rules'] ?? null, depth + 1)
  return rules === (node['rules'] ?? null) ? node : { ...node, rules }
}

const isList = (value: JsonValue): value is readonly JsonValue[] => Array.isArray(value)

const REASON = String.raw`\$alert->status_reason`
const FORWARD = new RegExp(`${REASON}(\\s*(?:===?|!==?|<>)\\s*)(['"])icmp\\2`, 'g')
const BACKWARD = new RegExp(`(['"])icmp\\1(\\s*(?:===?|!==?|<>)\\s*)${REASON}`, 'g')
const FIRST_REASON = "explode(',', $alert->status_reason)[0]"

/**
 * The texts of a template. Comparisons of the status reason are changed where it has another value here; a text that
 * cannot be parsed is noted with its line.
 */
export function convertedTemplate(
  row: Row,
  beforeBothReasons: boolean,
  of: Installation,
): Readonly<Record<string, string>> {
  const name = textOf(row, 'name')
  const changed: Record<string, string> = {}
  for (const part of ['template', 'title', 'title_rec']) {
    const given = textOf(row, part)
    const text = beforeBothReasons
      ? given
          .replaceAll(FORWARD, (_, operator: string) => `${FIRST_REASON}${operator}'icmp'`)
          .replaceAll(BACKWARD, (_, __, operator: string) => `'icmp'${operator}${FIRST_REASON}`)
      : given
    if (text !== given) {
      changed[part] = text
      of.note(`template ${name} compares the first status reason: devices without any answer have "icmp,snmp" here`)
    }
    const where = part === 'template' ? '' : ` of its ${part === 'title' ? 'title' : 'recovery title'}`
    const read = parseTemplate(text)
    if (read.kind === 'fault')
      of.note(
        `template ${name} cannot be used, the default text is sent instead: line ${read.line}${where}, column ${read.column}: ${read.message}`,
      )
    else if (/%[a-z_]+\b|\{(?:if|foreach) %/.test(text) && /\{\/(?:if|foreach)\}/.test(text))
      of.note(`template ${name} is in the language of before 2018, which is sent as it stands${where}`)
  }
  return changed
}
