/** @jsxImportSource #jsx */
import { expiryOf } from '../../../core/access/tokens/expiry.ts'
import { CLIENT_PROGRAMS, clientProgram } from '../../../core/access/tokens/programs.ts'
import {
  TOKEN_SCOPES,
  type TokenRecord,
  type TokenScope,
  type TokenTerms,
} from '../../../core/access/tokens/service.ts'
import { clockOf, OWN_CLOCK } from '../../../lib/zone-clock.ts'
import { Button, Choice, Field, Form, Hidden, kept, same } from '../../components/form.tsx'
import { Card, plain } from '../../components/values.tsx'
import { pageZone } from '../../components/zone.tsx'
import type { Html } from '../../jsx/jsx-runtime.ts'
import type { Form as FormData, PageRequest } from '../../page.ts'
import { fresh, SCOPES } from './tokens.ts'

/** The terms of a token in a form. Throws `invalid`. */
export const termsOf = ({ nowMs }: PageRequest, form: FormData): TokenTerms => ({
  scope: form.get('scope') === 'write' ? 'write' : 'read',
  expiresAt: expiryOf(form.get('expires') ?? '', nowMs),
  dialect:
    (['documented', 'librenms'] as const).find((one) => one === form.get('dialect')) ??
    clientProgram(form.get('program') ?? '')?.dialect ??
    null,
})

/** The last day of a token, as the form takes it: the token expires at the start of the next day. */
function lastDay(at: Date | null): string {
  if (at === null) return ''
  return clockOf(OWN_CLOCK, at.getTime() - 1).slice(0, 10)
}

function Terms({
  visit,
  scope,
  expires,
  dialect,
  unset,
}: {
  readonly visit: PageRequest
  readonly scope: TokenScope
  readonly expires: string
  readonly dialect: string
  /** What applies without a dialect. */
  readonly unset: string
}): Html {
  return (
    <>
      <Choice
        visit={visit}
        id="scope"
        label="Scope"
        value={scope}
        options={TOKEN_SCOPES.map((value) => ({ value, label: SCOPES[value] }))}
        hint="With a read token, changes are refused with 403."
      />
      <Field
        visit={visit}
        id="expires"
        label="Last day"
        type="date"
        value={expires}
        hint={`The end of that day in ${pageZone()}. Empty: it does not expire.`}
      />
      <Choice
        visit={visit}
        id="dialect"
        label="Dialect of API v0"
        value={dialect}
        options={[{ value: '', label: unset }, ...same(['documented', 'librenms'])]}
      />
    </>
  )
}

/** The form that changes the terms of a token. */
export function ChangeToken({ visit, token }: { readonly visit: PageRequest; readonly token: TokenRecord }): Html {
  return (
    <Card title={`Change ${plain(token.description) || `token ${token.id}`}`}>
      <Form visit={visit} name="change">
        <Hidden name="id" value={token.id} />
        <Terms
          visit={visit}
          scope={token.scope}
          expires={lastDay(token.expires_at)}
          dialect={token.dialect ?? ''}
          unset="default (setting api.v0.dialect)"
        />
        <div class="acts">
          <Button first>Save</Button>
          <a class="btn" href="/api-access">
            Cancel
          </a>
        </div>
      </Form>
    </Card>
  )
}

/** The form of a new token. `users`: who may own it; empty: only the actor. */
export function NewToken({ visit, users }: { readonly visit: PageRequest; readonly users: readonly string[] }): Html {
  const isNew = visit.sent === null || fresh.has(visit.sent)
  return (
    <Card title="New token">
      <Form visit={visit} name="create">
        <Field
          id="description"
          label="Description"
          value={isNew ? '' : kept(visit, 'description', '')}
          placeholder="What uses it, and where"
          hint="Optional."
        />
        <Choice
          id="program"
          label="Used by"
          value={isNew ? 'own' : kept(visit, 'program', 'own')}
          options={CLIENT_PROGRAMS.map(({ id, name }) => ({ value: id, label: name }))}
          hint="Programs written for LibreNMS get answers in dialect librenms, which they expect."
        />
        {users.length === 0 ? null : (
          <Choice id="user" label="User" value={kept(visit, 'user', visit.actor.username)} options={same(users)} />
        )}
        <Terms
          visit={isNew ? { ...visit, sent: null } : visit}
          scope="write"
          expires=""
          dialect=""
          unset="the one that the program expects"
        />
        <div class="acts">
          <Button first>Create token</Button>
        </div>
      </Form>
    </Card>
  )
}
