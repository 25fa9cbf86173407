/** @jsxImportSource #jsx */
import { DomainError, forbidden, invalid } from '../../domain/errors.ts'
import { type Gate, passes } from '../../domain/gates.ts'
import type { Child, Html } from '../jsx/jsx-runtime.ts'
import type { Visit } from '../page.ts'

/** A form that does `name` on the page that it is on. */
export function Act({
  visit,
  name,
  bare,
  children,
}: {
  readonly visit: Visit
  readonly name: string
  /** Without the padding of a form with fields: for a button. */
  readonly bare?: boolean
  readonly children?: Child
}): Html {
  return (
    <form class={bare === true ? 'act' : 'form'} method="post" action={visit.url.pathname}>
      <input type="hidden" name="csrf" value={visit.session.csrf} />
      <input type="hidden" name="do" value={name} />
      {children}
    </form>
  )
}

/** A button behind which a question stands, for what cannot be undone. Works without script. */
export function Confirm({
  visit,
  name,
  label,
  question,
}: {
  readonly visit: Visit
  readonly name: string
  readonly label: string
  readonly question: string
}): Html {
  return (
    <details class="menu">
      <summary class="btn">{label}…</summary>
      <div class="sheet ask-sheet">
        <p>{question}</p>
        <Act visit={visit} name={name} bare>
          <button class="btn danger" type="submit">
            {label}
          </button>
        </Act>
      </div>
    </details>
  )
}

/** A text field; what was sent in vain stands in it again. */
export function Field({
  visit,
  name,
  label,
  value,
  hint,
  required,
  long,
}: {
  readonly visit: Visit
  readonly name: string
  readonly label: string
  readonly value: string
  readonly hint?: string
  readonly required?: boolean
  readonly long?: boolean
}): Html {
  const shown = visit.sent?.get(name) ?? value
  const id = `f-${name}`
  const described = hint === undefined ? null : `${id}-hint`
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {long === true ? (
        <textarea class="inp" id={id} name={name} rows="3" maxlength="4096" aria-describedby={described}>
          {shown}
        </textarea>
      ) : (
        <input
          class="inp"
          id={id}
          name={name}
          value={shown}
          maxlength="4096"
          required={required === true}
          aria-describedby={described}
          autocomplete="off"
          spellcheck="false"
        />
      )}
      {hint === undefined ? null : (
        <span class="hint" id={described}>
          {hint}
        </span>
      )}
    </div>
  )
}

/** A choice of one of several. */
export function Choice({
  visit,
  name,
  label,
  value,
  choices,
}: {
  readonly visit: Visit
  readonly name: string
  readonly label: string
  readonly value: string
  readonly choices: readonly (readonly [value: string, label: string])[]
}): Html {
  const chosen = visit.sent?.get(name) ?? value
  return (
    <div class="field">
      <label for={`f-${name}`}>{label}</label>
      <select class="inp" id={`f-${name}`} name={name}>
        {choices.map(([one, text]) => (
          <option value={one} selected={one === chosen}>
            {text}
          </option>
        ))}
      </select>
    </div>
  )
}

/** A box that is ticked or not. */
export function Tick({
  visit,
  name,
  label,
  on,
}: {
  readonly visit: Visit
  readonly name: string
  readonly label: string
  readonly on: boolean
}): Html {
  return (
    <label>
      <input type="checkbox" name={name} value="1" checked={visit.sent === null ? on : visit.sent.has(name)} /> {label}
    </label>
  )
}

/** Whether the actor may do what the gate guards. */
export const mayOf = (visit: Visit, gate: Gate): boolean => passes(visit.actor, gate, visit.services.config)

/** Throws `forbidden` for who may not. */
export function requireGate(visit: Visit, gate: Gate): void {
  if (!mayOf(visit, gate)) throw forbidden('Insufficient permissions')
}

/**
 * Runs a change of a form. What is refused is said on the form, with its fields in words, except where the object itself is
 * not there or not granted (`not_found`).
 */
export async function changed<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    if (error.fields !== null) throw invalid(Object.values(error.fields).flat().join(' '))
    if (['forbidden', 'absent', 'unusable', 'conflict'].includes(error.code)) throw invalid(error.message)
    throw error
  }
}
