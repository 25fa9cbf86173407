/** @jsxImportSource #jsx */
import type { KindField, TransportKind } from '../../../core/alerts/transports/admin.ts'
import { Words } from '../../components/values.tsx'
import type { Html } from '../../jsx/jsx-runtime.ts'
import type { Form } from '../../page.ts'

const MAX_TEXT = '4096'
const nameOf = (field: KindField) => `set-${field.name}`

/** Settings as sent; empty ones are ''. */
export function settingsOf({ fields }: TransportKind, form: Form): Readonly<Record<string, string>> {
  return Object.fromEntries(
    fields.map((field) => {
      const sent = (form.get(nameOf(field)) ?? '').replaceAll('\r\n', '\n')
      return [field.name, field.type === 'bool' ? (sent === '1' ? 'true' : 'false') : sent.trim()]
    }),
  )
}

/** Names of the secrets to remove. */
export function clearedOf({ fields }: TransportKind, form: Form): ReadonlySet<string> {
  return new Set(fields.flatMap(({ name }) => (form.get(`clear-${name}`) === '1' ? [name] : [])))
}

/** A stored value as a field shows it. */
function textOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) return value.join('\n')
  if (typeof value === 'object')
    return Object.entries(value)
      .map(([name, one]) => `${name}=${String(one)}`)
      .join('\n')
  return String(value)
}

/** Fields for the settings of a kind. `stored`: the settings, with secrets hidden; null: a new transport. */
export function KindFields({
  kind,
  stored,
  form,
}: {
  readonly kind: TransportKind
  readonly stored: Readonly<Record<string, unknown>> | null
  readonly form: Form | null
}): Html {
  return (
    <>
      {kind.fields.map((field) => (
        <One
          field={field}
          stored={stored?.[field.name] ?? (field.was === null ? undefined : stored?.[field.was])}
          sent={form?.get(nameOf(field)) ?? null}
          isSent={form !== null}
        />
      ))}
    </>
  )
}

function One({
  field,
  stored,
  sent,
  isSent,
}: {
  readonly field: KindField
  readonly stored: unknown
  readonly sent: string | null
  readonly isSent: boolean
}): Html {
  const id = nameOf(field)
  const isSet = stored !== undefined && stored !== null && stored !== ''
  // A secret is never sent back to the browser, not even one from a form that was refused for another field.
  const value = field.secret ? '' : isSent ? (sent ?? '') : textOf(stored)
  if (field.type === 'bool') {
    const isOn = isSent ? sent === '1' : /^(?:true|1|yes|on)$/i.test(textOf(isSet ? stored : field.default))
    return (
      <label>
        <input type="checkbox" name={id} value="1" checked={isOn} /> <Words text={field.about} />
      </label>
    )
  }
  const hint = field.secret && isSet ? `${field.about} Set; leave empty to keep it.` : field.about
  return (
    <div class="field">
      <label for={id}>
        {field.name}
        {field.required ? ' (required)' : ''}
      </label>
      <Input field={field} id={id} value={value} isSet={isSet} />
      <span class="hint">
        <Words text={hint} />
      </span>
      {field.secret && isSet && !field.required ? (
        <label class="hint">
          <input type="checkbox" name={`clear-${field.name}`} value="1" /> remove it
        </label>
      ) : null}
    </div>
  )
}

function Input({
  field,
  id,
  value,
  isSet,
}: {
  readonly field: KindField
  readonly id: string
  readonly value: string
  readonly isSet: boolean
}): Html {
  if (field.type === 'choice') {
    const chosen = value === '' ? field.default : value
    return (
      <select class="inp" id={id} name={id}>
        {field.choices.map((choice) => (
          <option value={choice} selected={choice === chosen}>
            {choice === '' ? 'default' : choice}
          </option>
        ))}
      </select>
    )
  }
  if (field.type === 'list' || field.type === 'pairs') {
    return (
      <textarea
        class="inp mono"
        id={id}
        name={id}
        rows="3"
        spellcheck="false"
        maxlength={MAX_TEXT}
        placeholder={
          field.secret && isSet ? '••••••••' : field.type === 'pairs' ? 'NAME=VALUE, one per line' : 'one per line'
        }
      >
        {value}
      </textarea>
    )
  }
  return (
    <input
      class="inp"
      id={id}
      name={id}
      type={field.secret && field.type !== 'url' ? 'password' : 'text'}
      autocomplete="off"
      value={value}
      maxlength={MAX_TEXT}
      placeholder={field.secret && isSet ? '••••••••' : field.default}
    />
  )
}
