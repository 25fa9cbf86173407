/** @jsxImportSource #jsx */
import type { IdentityRecord } from '../../../core/access/users/service.ts'
import { Button, Field, Form, Hidden, kept } from '../../components/form.tsx'
import { Card, count, plain, Time } from '../../components/values.tsx'
import type { Html } from '../../jsx/jsx-runtime.ts'
import type { PageRequest } from '../../page.ts'

/** Accounts at identity providers linked to a user; null if there are none and no provider is configured. */
export function Identities({
  username,
  identities,
  visit,
  to,
}: {
  readonly username: string
  readonly identities: readonly IdentityRecord[]
  readonly visit: PageRequest
  /** Address that the forms are sent to. */
  readonly to: string
}): Html | null {
  const isOn = visit.services.oidc.isOn()
  if (!isOn && identities.length === 0) return null
  const self = <Hidden name="user" value={username} />
  return (
    <Card title="Accounts at the identity provider" sub={count(identities.length)}>
      {identities.length === 0 ? null : (
        <>
          <ul class="rows">
            {identities.map(({ issuer, subject, seen_at }) => (
              <li>
                <span class="grow" dir="auto">
                  <code>{plain(subject)}</code>
                  <span class="l2">
                    {plain(issuer)} ·{' '}
                    {seen_at === null ? (
                      'not used yet'
                    ) : (
                      <>
                        signed in <Time at={seen_at} nowMs={visit.nowMs} />
                      </>
                    )}
                  </span>
                </span>
              </li>
            ))}
          </ul>
          <Form visit={visit} name="unlink" to={to}>
            {self}
            <div class="acts">
              <Button>Unlink and end sessions</Button>
            </div>
          </Form>
        </>
      )}
      {isOn ? (
        <Form visit={visit} name="link" to={to}>
          {self}
          <Field
            id="subject"
            label="Subject (claim sub) of the account"
            hint="Shown when a sign-in is refused."
            value={kept(visit, 'subject', '')}
            required
          />
          <div class="acts">
            <Button>Link</Button>
          </div>
        </Form>
      ) : null}
    </Card>
  )
}
