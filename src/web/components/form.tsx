/** @jsxImportSource #jsx */
import type { Child, Html } from '../jsx/jsx-runtime.ts'
import type { Visit } from '../page.ts'

/** The value of a field: what was sent with a form that was refused, otherwise `stored`. Never for secrets. */
export const kept = (visit: Visit, name: string, stored: string): string => visit.sent?.get(name) ?? stored

/** The visit as one of several forms of a page sees it: with what was sent only if one of these actions sent it. */
export const ofForm = (visit: Visit, ...actions: readonly string[]): Visit =>
  visit.sent !== null && actions.includes(visit.sent.get('do') ?? '') ? visit : { ...visit, sent: null }

/** A form that sends `do` to the address of the page, without its query unless `to` has one. */
export function Form({
  visit,
  name,
  to,
  line,
  probe,
  children,
}: {
  readonly visit: Visit
  /** The action. */
  readonly name: string
  readonly to?: string
  /** In a row of a table: without padding. */
  readonly line?: boolean
  /** The script shows the steps of the answer as they come. */
  readonly probe?: boolean
  readonly children?: Child
}): Html {
  return (
    <form
      class={line === true ? 'inline' : 'form'}
      method="post"
      action={to ?? visit.url.pathname}
      data-probe={probe === true}
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
  /** Member of the form; absent: the id. */
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
  readonly class?: string
}

/** A labelled field. Fields for secrets are empty and keep what is stored. */
export function Field({ id, name, label, value, type = 'text', hint, class: extra, list, ...rest }: FieldProps): Html {
  return (
    <div class={`field ${extra ?? ''}`.trim()}>
      <label for={id}>{label}</label>
      <input
        class="inp"
        id={id}
        name={name ?? id}
        type={type}
        value={type === 'password' ? null : (value ?? '')}
        autocomplete={rest.autocomplete ?? (type === 'password' ? 'new-password' : 'off')}
        spellcheck="false"
        maxlength={type === 'number' ? null : 1024}
        placeholder={rest.placeholder}
        required={rest.required}
        min={rest.min}
        max={rest.max}
        list={list}
        aria-describedby={hint === undefined ? null : `${id}-h`}
      />
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

export function Choice({
  id,
  name,
  label,
  value,
  options,
  hint,
  class: extra,
}: {
  readonly id: string
  readonly name?: string
  readonly label: string
  readonly value: string
  readonly options: readonly Option[]
  readonly hint?: string
  readonly class?: string
}): Html {
  return (
    <div class={`field ${extra ?? ''}`.trim()}>
      <label for={id}>{label}</label>
      <select class="inp" id={id} name={name ?? id} aria-describedby={hint === undefined ? null : `${id}-h`}>
        {options.map((option) => (
          <option value={option.value} selected={option.value === value}>
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

/** A box to tick; sends `1`. */
export function Check({
  name,
  label,
  on,
  hint,
}: {
  readonly name: string
  readonly label: Child
  readonly on: boolean
  readonly hint?: string
}): Html {
  return (
    <label class="check">
      <input type="checkbox" name={name} value="1" checked={on} />
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
  /** What screen readers say, where several buttons have the same word. */
  readonly label?: string
}): Html {
  const names = ['btn', first === true ? 'first' : '', danger === true ? 'danger' : '', small === true ? 's-s' : '']
  return (
    <button class={names.filter(Boolean).join(' ')} type="submit" aria-label={label}>
      {children}
    </button>
  )
}

/** The words of options that are the same as their values. */
export const same = (values: readonly string[]): Option[] => values.map((value) => ({ value, label: value }))
