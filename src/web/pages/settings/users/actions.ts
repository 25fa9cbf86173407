import { setViewCookie } from '../../../../api/client-of-request.ts'
import type { GrantKind } from '../../../../core/access/users/grants.ts'
import { invalid } from '../../../../core/base/errors.ts'
import { idOf } from '../../../id.ts'
import { type Action, type Form as FormData, type PageRequest, redirect } from '../../../page.ts'
import { refusalsAsFormErrors } from '../../../permissions.ts'
import { ADDRESS, addressOf, KINDS, wordOf } from './names.ts'

/** Changes of users, by the value of the field `do`. */
export const actions: Readonly<Record<string, Action>> = {
  async add(visit, form) {
    const username = (form.get('username') ?? '').trim()
    const password = form.get('password') ?? ''
    await visit.services.admin.addUser(visit.actor, {
      username,
      password: password === '' ? null : password,
      roles: rolesOf(form),
      realname: form.get('realname') ?? '',
      email: form.get('email') ?? '',
    })
    return { to: addressOf(username) }
  },
  async roles(visit, form) {
    await visit.services.admin.setRoles(visit.actor, userOf(form), rolesOf(form))
    return { to: addressOf(userOf(form)) }
  },
  async password(visit, form) {
    if (form.get('password') !== form.get('again')) throw invalid('The two passwords do not match')
    await visit.services.admin.setPassword(visit.actor, userOf(form), form.get('password') ?? '')
    return { to: addressOf(userOf(form)) }
  },
  async disable(visit, form) {
    await visit.services.admin.setEnabled(visit.actor, userOf(form), false)
    return { to: addressOf(userOf(form)) }
  },
  async enable(visit, form) {
    await visit.services.admin.setEnabled(visit.actor, userOf(form), true)
    return { to: addressOf(userOf(form)) }
  },
  async 'view-as'(visit, form) {
    const { user_id: id } = await visit.services.admin.viewAs(visit.actor, userOf(form))
    const answer = redirect('/')
    answer.headers.append('Set-Cookie', setViewCookie(visit.origin, id))
    return answer
  },
  async 'remove-factor'(visit, form) {
    await visit.services.admin.removeFactor(visit.actor, userOf(form))
    return { to: addressOf(userOf(form)) }
  },
  async sessions(visit, form) {
    await visit.services.admin.endSessions(visit.actor, userOf(form))
    return { to: addressOf(userOf(form)) }
  },
  async session(visit, form) {
    await visit.services.admin.endSession(visit.actor, userOf(form), idOf(form.get('id')))
    return { to: addressOf(userOf(form)) }
  },
  async link(visit, form) {
    const subject = (form.get('subject') ?? '').trim()
    await refusalsAsFormErrors(() => visit.services.admin.link(visit.actor, userOf(form), subject, null))
    return { to: addressOf(userOf(form)) }
  },
  async unlink(visit, form) {
    await visit.services.admin.unlink(visit.actor, userOf(form))
    return { to: addressOf(userOf(form)) }
  },
  async grant(visit, form) {
    const kind = KINDS.find(({ value }) => value === form.get('kind'))?.value
    const typed = (form.get('ref') ?? '').trim()
    if (kind === undefined || typed === '') throw invalid('Choose what to grant')
    const ref = await refOfChoice(visit, kind, typed)
    const { admin, users } = visit.services
    await users.grantable({ [kind]: [ref] }).catch(() => {
      throw invalid(`There is no ${wordOf(kind)} ${ref}, or more than one.`)
    })
    await admin.grant(visit.actor, userOf(form), kind, ref)
    return { to: addressOf(userOf(form)) }
  },
  async revoke(visit, form) {
    const kind = KINDS.find(({ value }) => value === form.get('kind'))?.value
    if (kind === undefined) throw invalid('Unknown kind')
    await visit.services.admin.revoke(visit.actor, userOf(form), kind, idOf(form.get('id')))
    return { to: addressOf(userOf(form)) }
  },
  async delete(visit, form) {
    const { user } = await visit.services.admin.user(visit.actor, userOf(form))
    if ((form.get('confirm') ?? '').trim() !== user.username)
      throw invalid('The name does not match, so nothing was deleted')
    await visit.services.admin.deleteUser(visit.actor, userOf(form))
    return { to: ADDRESS }
  },
}

/** What a typed choice refers to: a port by id or by words that only one port has; anything else as it is. */
async function refOfChoice({ services, actor }: PageRequest, kind: GrantKind, text: string): Promise<string> {
  if (kind !== 'portIds' || /^\d+$/.test(text)) return text
  const found = await services.portPicker.find(actor, text, 2)
  const [port] = found
  if (port === undefined || found.length > 1)
    throw invalid(`${found.length === 0 ? 'No port matches' : 'More than one port matches'} ${text}: device and port`)
  return String(port.port_id)
}

const userOf = (form: FormData) => form.get('user') ?? ''

const rolesOf = (form: FormData) =>
  [...form].flatMap(([name, value]) => (name.startsWith('role-') && value === '1' ? [name.slice(5)] : []))
