/** @jsxImportSource #jsx */
import type { Child, Html } from '../jsx/jsx-runtime.ts'
import type { PageRequest } from '../page.ts'
import { Icon } from './icon.tsx'

/** The value of a field: what was entered if the form was refused, otherwise `stored`. Never for secrets. */
export const kept = (visit: PageRequest, name: string, stored: string): string => visit.sent?.get(name) ?? stored

/** The visit for one of several forms on a page: keeps what was sent only if it was sent by one of these actions. */
export const ofForm = (visit: PageRequest, ...actions: readonly string[]): PageRequest =>
  visit.sent !== null && actions.includes(visit.sent.get('do') ?? '') ? visit : { ...visit, sent: null }

/** A form that posts `do` to the address of the page, without the query unless `to` has one. */
export function Form({
  visit,
  name,
  to,
  line,
  probe,
  rule,
  children,
}: {
  readonly visit: PageRequest
  /** The action. */
  readonly name: string
  readonly to?: string
  /** For use in a table row: without padding. */
  readonly line?: boolean
  /** The script shows the steps of the answer as they arrive. */
  readonly probe?: boolean
  /** The script `rule.js` shows the visual builder for the field `builder`. */
  readonly rule?: boolean
  readonly children?: Child
}): Html {
  return (
    <form
      class={line === true ? 'inline' : 'form'}
      method="post"
      action={to ?? visit.url.pathname}
      data-probe={probe === true}
      data-rule={rule === true}
    >
      <input type="hidden" name="csrf" value={visit.session.csrf} />
      <input type="hidden" name="do" value={name} />
      {children}
    </form>
  )
}

export const Hidden = ({ name, value }: { readonly name: string; readonly value: string | number }) => (
  <input type="hidden" name={name} value={value} />
)

export interface FieldProps {
  readonly id: string
  /** Name of the field; absent: the id. */
  readonly name?: string
  readonly label: string
  readonly value?: string
  readonly type?: 'text' | 'password' | 'number' | 'datetime-local' | 'date' | 'email'
  readonly hint?: Child
  readonly placeholder?: string
  readonly required?: boolean
  readonly min?: number
  readonly max?: number
  readonly autocomplete?: string
  readonly list?: string
  /** Maximum length in characters; absent: 1,024, or 4,096 for several lines. */
  readonly maxLength?: number
  /** Makes this a multi-line field with this many visible lines; absent: one line. */
  readonly rows?: number
  /** The visit, if the field is to keep what was entered when the form is refused. Never for secrets. */
  readonly visit?: PageRequest
}

/** A labelled field. Fields for secrets are shown empty; left empty, they keep what is stored. */
export function Field({ id, name = id, label, type = 'text', hint, visit, ...rest }: FieldProps): Html {
  const given = rest.value ?? ''
  const value = visit === undefined ? given : kept(visit, name, given)
  const common = { class: 'inp', id, name, spellcheck: 'false', required: rest.required, placeholder: rest.placeholder }
  const describedBy = hint === undefined ? null : `${id}-h`
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {rest.rows === undefined ? (
        <input
          {...common}
          type={type}
          value={type === 'password' ? null : value}
          autocomplete={rest.autocomplete ?? (type === 'password' ? 'new-password' : 'off')}
          maxlength={type === 'number' ? null : (rest.maxLength ?? 1024)}
          min={rest.min}
          max={rest.max}
          list={rest.list}
          aria-describedby={describedBy}
        />
      ) : (
        <textarea {...common} rows={rest.rows} maxlength={rest.maxLength ?? 4096} aria-describedby={describedBy}>
          {value}
        </textarea>
      )}
      {hint === undefined ? null : (
        <span class="hint" id={`${id}-h`}>
          {hint}
        </span>
      )}
    </div>
  )
}

export interface Option {
  readonly value: string
  readonly label: string
}

/** A choice of one of several options. `visit` as for `Field`. */
export function Choice({
  id,
  label,
  value,
  options,
  hint,
  visit,
}: {
  readonly id: string
  readonly label: string
  readonly value: string
  readonly options: readonly Option[]
  readonly hint?: string
  readonly visit?: PageRequest
}): Html {
  const chosen = visit === undefined ? value : kept(visit, id, value)
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select class="inp" id={id} name={id} aria-describedby={hint === undefined ? null : `${id}-h`}>
        {options.map((option) => (
          <option value={option.value} selected={option.value === chosen}>
            {option.label}
          </option>
        ))}
      </select>
      {hint === undefined ? null : (
        <span class="hint" id={`${id}-h`}>
          {hint}
        </span>
      )}
    </div>
  )
}

/** A checkbox, which sends `1`. `visit` as for `Field`. */
export function Check({
  name,
  label,
  on,
  hint,
  visit,
}: {
  readonly name: string
  readonly label: Child
  readonly on: boolean
  readonly hint?: string
  readonly visit?: PageRequest
}): Html {
  const sent = visit?.sent ?? null
  return (
    <label class="check">
      <input type="checkbox" name={name} value="1" checked={sent === null ? on : sent.has(name)} />
      <span>
        {label}
        {hint === undefined ? null : <span class="hint"> {hint}</span>}
      </span>
    </label>
  )
}

export function Button({
  children,
  first,
  danger,
  small,
  label,
}: {
  readonly children: string
  readonly first?: boolean
  readonly danger?: boolean
  readonly small?: boolean
  /** Label for screen readers, where several buttons have the same text. */
  readonly label?: string
}): Html {
  const names = ['btn', first === true ? 'first' : '', danger === true ? 'danger' : '', small === true ? 's-s' : '']
  return (
    <button class={names.filter(Boolean).join(' ')} type="submit" aria-label={label}>
      {children}
    </button>
  )
}

/** A button that asks for confirmation, for actions that cannot be undone. Works without scripts. */
export function Confirm({
  visit,
  name,
  label,
  question,
  small,
  about,
  children,
}: {
  readonly visit: PageRequest
  /** The action. */
  readonly name: string
  readonly label: string
  readonly question: string
  readonly small?: boolean
  /** Name of the object, where several buttons have the same text. */
  readonly about?: string
  /** Hidden fields. */
  readonly children?: Child
}): Html {
  const full = about === undefined ? undefined : `${label} ${about}`
  return (
    <details class="menu">
      <summary class={small === true ? 'btn s-s' : 'btn'} aria-label={full === undefined ? null : `${full}…`}>
        {label}…
      </summary>
      <div class="sheet ask-sheet">
        <p>{question}</p>
        <Form visit={visit} name={name} line>
          {children}
          <Button danger {...(small === true && { small })} {...(full !== undefined && { label: full })}>
            {label}
          </Button>
        </Form>
      </div>
    </details>
  )
}

/** Options whose labels are the same as their values. */
export const same = (values: readonly string[]): Option[] => values.map((value) => ({ value, label: value }))

/** A link to the page that adds something; `first`: the main action of the page. */
export const AddLink = ({
  href,
  first = false,
  children,
}: {
  readonly href: string
  readonly first?: boolean
  readonly children: string
}): Html => (
  <a class={first ? 'btn first' : 'btn'} href={href}>
    <Icon name="plus" />
    {children}
  </a>
)
