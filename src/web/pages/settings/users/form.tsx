/** @jsxImportSource #jsx */
import { Button, Check, Field, Form, kept } from '../../../components/form.tsx'
import { Card, plain } from '../../../components/values.tsx'
import type { Html } from '../../../jsx/jsx-runtime.ts'
import type { PageRequest } from '../../../page.ts'

const ABOUT: Readonly<Record<string, string>> = {
  admin: 'everything',
  'global-read': 'sees everything',
  user: 'sees what is granted',
}

/** The choice of roles. */
export const Roles = ({ roles, on }: { readonly roles: readonly string[]; readonly on: (role: string) => boolean }) => (
  <fieldset class="field">
    <legend class="lab">Roles</legend>
    {roles.map((role) => (
      <Check name={`role-${role}`} label={plain(role)} on={on(role)} hint={ABOUT[role] ?? 'custom role'} />
    ))}
  </fieldset>
)

/** The form of a new user. */
export function AddUser({ visit, roles }: { readonly visit: PageRequest; readonly roles: readonly string[] }): Html {
  return (
    <Card title="Add a user">
      <Form visit={visit} name="add">
        <Field id="username" label="Username" value={kept(visit, 'username', '')} required />
        <Field id="password" label="Password" type="password" hint="At least 8 characters. Empty: API tokens only." />
        <Roles roles={roles} on={(role) => kept(visit, `role-${role}`, role === 'user' ? '1' : '') === '1'} />
        <Field id="realname" label="Full name" value={kept(visit, 'realname', '')} />
        <Field id="email" label="E-mail" type="email" value={kept(visit, 'email', '')} />
        <div class="acts">
          <Button first>Add user</Button>
        </div>
      </Form>
    </Card>
  )
}
