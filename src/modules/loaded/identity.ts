import type { SnmpValue } from '@portlight/snmp/value.ts'
import { type FormIdentity, type FormOs, OS_FIELDS, type OsField } from '../../librenms/form.ts'
import { filled } from './fields.ts'
import { execute, patternOf } from './test.ts'
import { valueText } from './text.ts'

export type OsFields = Record<OsField, string | null>

/** OIDs with instance from which the OS fields are derived. */
export function identityOids(form: FormOs): readonly string[] {
  const { identity } = form
  if (identity === null) return []
  const texts = Object.values(identity.fields).flatMap(({ oids }) => oids)
  const oids = texts.flatMap((text) => form.instances[text] ?? [])
  return [...new Set(identity.location === null ? oids : [...oids, identity.location])]
}

/** Version, hardware, serial number, features and name as derived by the definition; null: unknown. */
export function identityOf(
  form: FormOs,
  facts: { readonly sysDescr: string; readonly sysObjectID: string },
  values: ReadonlyMap<string, SnmpValue>,
): OsFields {
  const fields: OsFields = { version: null, hardware: null, serial: null, features: null, sysName: null }
  const { identity } = form
  if (identity === null) return fields
  for (const pattern of identity.sysDescr) take(fields, execute(pattern, facts.sysDescr)?.groups)
  if (identity.hardwareMib !== null) {
    fields.hardware = labelOf(identity.hardwareMib, facts.sysObjectID)
    for (const pattern of identity.fields.hardware?.patterns ?? [])
      take(fields, execute(pattern, fields.hardware ?? '')?.groups)
  }
  const before = { ...fields }
  const answer = (text: string): string | undefined => {
    const value = values.get(form.instances[text] ?? text.replace(/^\./, ''))
    return value === undefined
      ? undefined
      : valueText(value, form.objects[text.split('.')[0] ?? ''], 'os')?.replace(/^[\s\\]+|[\s\\]+$/g, '')
  }
  const variable = (name: string): string | undefined =>
    answer(name) ??
    (OS_FIELDS.find((field) => field === name) === undefined ? undefined : (before[name as OsField] ?? ''))
  // in the order of the file, since one field may set another
  for (const field of Object.keys(identity.fields) as OsField[]) {
    const { oids = [], patterns = [], template = null, replace = [] } = identity.fields[field] ?? {}
    const found = oids.map(answer).find((text) => text !== undefined && text !== '' && text !== '0')
    if (found !== undefined) {
      if (patterns.length === 0) fields[field] = found
      for (const pattern of patterns) take(fields, execute(pattern, found)?.groups)
      if (template !== null)
        fields[field] = filled(template, { index: '', find: variable, column: () => undefined }).trim()
    }
    fields[field] = replaced(fields[field], replace)
  }
  for (const field of OS_FIELDS) fields[field] = field === 'sysName' ? fields[field] || null : cleaned(fields[field])
  return fields
}

function take(fields: OsFields, groups: Readonly<Record<string, string | undefined>> | undefined): void {
  if (groups === undefined) return
  for (const field of OS_FIELDS) {
    const text = groups[field]
    if (text !== undefined) fields[field] = text
  }
}

function labelOf(labels: Readonly<Record<string, string>>, sysObjectID: string): string | null {
  const ids = sysObjectID.replace(/^\./, '').split('.')
  for (let length = ids.length; length > 6; length--) {
    const label = labels[ids.slice(0, length).join('.')]
    if (label !== undefined) return [label, ...ids.slice(length)].join('.')
  }
  return null
}

function replaced(
  text: string | null,
  replace: NonNullable<FormIdentity['fields']['version']>['replace'],
): string | null {
  let out = text
  for (const { pattern, by } of replace)
    out = out === null ? null : patternOf(pattern.source, pattern.flags).replace(out, by)
  return out
}

/** The text without leading control and non-ASCII characters; null if nothing is left. */
function cleaned(text: string | null): string | null {
  const out = text?.replace(/^[^\x20-\x7e]+/, '').trim() ?? ''
  return out === '' ? null : out
}
