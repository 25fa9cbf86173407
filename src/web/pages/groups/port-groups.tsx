/** @jsxImportSource #jsx */
import type { PortGroupRecord } from '../../../core/groups/port-groups.ts'
import type { PickedPort } from '../../../core/ports/pick.ts'
import { Confirm, Field, Form } from '../../components/form.tsx'
import { loadPicking, type Picking, PortPicker, tickedPorts } from '../../components/port-picker.tsx'
import { Card, count, Empty, plain } from '../../components/values.tsx'
import { found, idOf } from '../../id.ts'
import type { Html } from '../../jsx/jsx-runtime.ts'
import { type Form as FormData, LONG_FORM_OCTETS, type PageRequest, page } from '../../page.ts'
import { can, refusalsAsFormErrors, requireGate } from '../../permissions.ts'
import { MAX_MEMBERS } from './detail.tsx'

interface PortGroupData {
  readonly group: PortGroupRecord
  readonly members: readonly PickedPort[]
  /** null: the user may not change the group. */
  readonly picking: Picking | null
}

async function portGroupOf({ services, actor, params }: PageRequest): Promise<PortGroupRecord> {
  const id = idOf(params['id'])
  return found(id === 0 ? null : await services.portGroups.find(actor, String(id)), 'group')
}

const fieldsOf = (form: FormData) => ({
  name: (form.get('name') ?? '').trim(),
  desc: (form.get('desc') ?? '').trim(),
})

/** Answers the button that finds ports: the form is shown again, with the ports found. */
const find = async () =>
  ({ notice: { tone: 'warn', text: 'Tick the ports that belong to the group, then save.' } }) as const

/** Makes the ticked ports the members of a group. */
async function setPorts({ services, actor }: PageRequest, groupId: number, before: readonly number[], form: FormData) {
  const [old, ticked] = [new Set(before), new Set(tickedPorts(form))]
  const [more, less] = [[...ticked.difference(old)], [...old.difference(ticked)]]
  if (more.length > 0) await services.portGroups.assign(actor, String(groupId), more)
  if (less.length > 0) await services.portGroups.remove(actor, String(groupId), less)
}

/** A group of ports. */
export const portGroupPage = page<PortGroupData>({
  path: '/groups/ports/:id',
  formOctets: LONG_FORM_OCTETS,
  gate: 'PortGroup.viewAny',
  async load(visit) {
    const { services, actor } = visit
    const group = await portGroupOf(visit)
    const ids = await services.portGroups.members(actor, group)
    const picking = can(visit, 'PortGroup.update') ? await loadPicking(visit, ids) : null
    return { group, members: await services.portPicker.named(actor, ids.slice(0, MAX_MEMBERS)), picking }
  },
  view: ({ group, members, picking }, visit) => ({
    title: plain(group.name),
    crumbs: [{ label: 'Groups', href: '/groups' }, { label: plain(group.name) }],
    body: (
      <>
        <div class="title">
          <h1 dir="auto">{plain(group.name)}</h1>
          <div class="acts">
            {can(visit, 'PortGroup.delete') ? (
              <Confirm
                visit={visit}
                name="delete"
                label="Delete"
                question={`Group ${plain(group.name)} will be deleted. Its ports are kept.`}
              />
            ) : null}
          </div>
        </div>
        {group.desc === null || group.desc === '' ? null : (
          <div class="meta">
            <span dir="auto">{plain(group.desc)}</span>
          </div>
        )}
        <div class="stack">
          <Card title="Ports" sub={count(members.length)}>
            {members.length === 0 ? (
              <Empty title="No ports that you have access to" help={['how-to/give-access', 'How access is given']} />
            ) : null}
            <ul class="rows">
              {members.map((port) => (
                <li data-live={`port:${port.port_id}`}>
                  <a href={`/port/${port.port_id}`} dir="auto">
                    {plain(`${port.device} ${port.ifName ?? ''}`)}
                  </a>{' '}
                  <span class="sub" dir="auto">
                    {plain(port.ifAlias ?? '')}
                  </span>
                </li>
              ))}
            </ul>
          </Card>
          {picking === null ? null : (
            <Editor visit={visit} picking={picking} name={group.name} desc={group.desc ?? ''} act="save" word="Save" />
          )}
        </div>
      </>
    ),
  }),
  actions: {
    find,
    async save(visit, form) {
      requireGate(visit, 'PortGroup.update')
      const { services, actor } = visit
      const group = await portGroupOf(visit)
      const before = await services.portGroups.members(actor, group)
      await refusalsAsFormErrors(async () => {
        await services.portGroups.update(actor, String(group.id), fieldsOf(form))
        await setPorts(visit, group.id, before, form)
      })
      return { notice: { tone: 'ok', text: 'Saved.' } }
    },
    async delete(visit) {
      requireGate(visit, 'PortGroup.delete')
      const { id } = await portGroupOf(visit)
      await refusalsAsFormErrors(() => visit.services.portGroups.delete(visit.actor, String(id)))
      return { to: '/groups' }
    },
  },
})

/** Adds a group of ports. */
export const newPortGroupPage = page<Picking>({
  path: '/groups/ports/new',
  formOctets: LONG_FORM_OCTETS,
  gate: 'PortGroup.create',
  load: (visit) => loadPicking(visit, []),
  view: (picking, visit) => ({
    title: 'Add a port group',
    crumbs: [{ label: 'Groups', href: '/groups' }, { label: 'Add' }],
    body: (
      <>
        <div class="head">
          <h1>Add a port group</h1>
        </div>
        <div class="stack narrow">
          <Editor visit={visit} picking={picking} name="" desc="" act="add" word="Add" />
        </div>
      </>
    ),
  }),
  actions: {
    find,
    async add(visit, form) {
      requireGate(visit, 'PortGroup.create')
      const id = await refusalsAsFormErrors(async () => {
        const made = await visit.services.portGroups.create(visit.actor, fieldsOf(form))
        await setPorts(visit, made.id, [], form)
        return made.id
      })
      return { to: `/groups/ports/${id}` }
    },
  },
})

function Editor({
  visit,
  picking,
  name,
  desc,
  act,
  word,
}: {
  readonly visit: PageRequest
  readonly picking: Picking
  readonly name: string
  readonly desc: string
  readonly act: 'add' | 'save'
  readonly word: string
}): Html {
  return (
    <Card title={act === 'add' ? 'Group' : 'Change'}>
      <Form visit={visit} name={act}>
        <div class="line">
          <Field visit={visit} id="name" label="Name" value={name} maxLength={255} required />
          <Field visit={visit} id="desc" label="Description" value={desc} />
        </div>
        <PortPicker picking={picking} />
        <div class="acts">
          <button class="btn first" type="submit" name="do" value={act}>
            {word}
          </button>
        </div>
      </Form>
    </Card>
  )
}
