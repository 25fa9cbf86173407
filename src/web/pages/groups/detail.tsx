/** @jsxImportSource #jsx */

import type { Trial } from '../../../core/alerts/rules/try.ts'
import type { DeviceRow } from '../../../core/devices/service.ts'
import type { DeviceGroupRecord } from '../../../core/groups/device-groups.ts'
import { Confirm, Form } from '../../components/form.tsx'
import { Card, count, Empty, plain } from '../../components/values.tsx'
import { found, idOf } from '../../id.ts'
import { LONG_FORM_OCTETS, type PageRequest, page } from '../../page.ts'
import { can, refusalsAsFormErrors, requireGate } from '../../permissions.ts'
import { type Finding, findDevices, loadFinding } from './find-devices.tsx'
import { bodyOf, EMPTY_RULE, GroupForm, Try, tried, tryIt } from './form.tsx'
import { ruleText } from './list.tsx'

/** Members shown on a page; the device list has them all. */
export const MAX_MEMBERS = 200

interface GroupData {
  readonly group: DeviceGroupRecord
  readonly members: readonly DeviceRow[]
  readonly trial: Trial | null
  readonly finding: Finding
}

async function groupOf({ services, actor, params }: PageRequest): Promise<DeviceGroupRecord> {
  const id = idOf(params['id'])
  return found(id === 0 ? null : await services.deviceGroups.find(actor, String(id)), 'group')
}

const nameOf = (row: DeviceRow) => plain(String(row['display'] || row.hostname))

/** A device group: its members and its rule. */
export const groupPage = page<GroupData>({
  path: '/groups/:id',
  formOctets: LONG_FORM_OCTETS,
  gate: 'DeviceGroup.viewAny',
  async load(visit) {
    const group = await groupOf(visit)
    const [members, trial, finding] = await Promise.all([
      visit.services.deviceGroups.records(visit.actor, group),
      can(visit, 'DeviceGroup.update') ? tried(visit, group) : null,
      loadFinding(visit),
    ])
    return { group, members, trial, finding }
  },
  scripts: ['rule.js'],
  view: ({ group, members, trial, finding }, visit) => ({
    title: plain(group.name),
    crumbs: [{ label: 'Groups', href: '/groups' }, { label: plain(group.name) }],
    body: (
      <>
        <div class="title">
          <h1 dir="auto">{plain(group.name)}</h1>
          <div class="acts">
            <a class="btn" href={`/devices?group=${group.id}`}>
              Show in device list
            </a>
            {can(visit, 'DeviceGroup.delete') ? (
              <Confirm
                visit={visit}
                name="delete"
                label="Delete"
                question={`Group ${plain(group.name)} and access granted through it will be deleted. Its devices are kept.`}
              />
            ) : null}
          </div>
        </div>
        <div class="meta">
          <span>{group.type === 'static' ? 'static: chosen devices' : 'dynamic: devices that match the rule'}</span>
          {group.desc === null || group.desc === '' ? null : <span dir="auto">{plain(group.desc)}</span>}
        </div>
        <div class="stack">
          {group.type === 'static' ? null : (
            <Card title="Rule">
              <div class="body">
                <pre class="pre wrap">
                  {plain(ruleText(group) ?? 'The rule cannot be parsed; the members are left unchanged.')}
                </pre>
              </div>
            </Card>
          )}
          <Card title="Devices" sub={count(members.length)}>
            {members.length === 0 ? (
              <Empty title="No devices that you have access to" help={['how-to/give-access', 'How access is given']} />
            ) : (
              <ul class="rows">
                {members.slice(0, MAX_MEMBERS).map((row) => (
                  <li data-live={`device:${row.device_id}`}>
                    <a href={`/device/${row.device_id}`} dir="auto">
                      {nameOf(row)}
                    </a>
                  </li>
                ))}
              </ul>
            )}
            {members.length > MAX_MEMBERS ? <footer>{count(members.length - MAX_MEMBERS)} more</footer> : null}
          </Card>
          {can(visit, 'DeviceGroup.update') ? (
            <Card title="Change">
              <Form visit={visit} name="save" rule>
                <GroupForm
                  visit={visit}
                  trial={trial}
                  finding={finding}
                  value={{
                    name: group.name,
                    desc: group.desc ?? '',
                    type: group.type,
                    builder: group.rules ?? EMPTY_RULE,
                    devices: group.type === 'static' ? members.map(({ hostname }) => hostname).join('\n') : '',
                  }}
                />
                <div class="acts">
                  <button class="btn first" type="submit" name="do" value="save">
                    Save
                  </button>
                  <Try />
                </div>
              </Form>
            </Card>
          ) : null}
        </div>
      </>
    ),
  }),
  actions: {
    try: tryIt('DeviceGroup.update'),
    find: findDevices('DeviceGroup.update'),
    async save(visit, form) {
      requireGate(visit, 'DeviceGroup.update')
      const { id } = await groupOf(visit)
      const body = await bodyOf(visit, form)
      await refusalsAsFormErrors(() => visit.services.deviceGroups.update(visit.actor, String(id), body))
      return { notice: { tone: 'ok', text: 'Saved.' } }
    },
    async delete(visit) {
      requireGate(visit, 'DeviceGroup.delete')
      const { id } = await groupOf(visit)
      await refusalsAsFormErrors(() => visit.services.deviceGroups.delete(visit.actor, String(id)))
      return { to: '/groups' }
    },
  },
})

/** Adds a group of devices. */
export const newGroupPage = page<Pick<GroupData, 'trial' | 'finding'>>({
  scripts: ['rule.js'],
  path: '/groups/new',
  formOctets: LONG_FORM_OCTETS,
  gate: 'DeviceGroup.create',
  load: async (visit) => ({ trial: await tried(visit, null), finding: await loadFinding(visit) }),
  view: ({ trial, finding }, visit) => ({
    title: 'Add a device group',
    crumbs: [{ label: 'Groups', href: '/groups' }, { label: 'Add' }],
    body: (
      <>
        <div class="head">
          <h1>Add a device group</h1>
        </div>
        <div class="stack narrow">
          <section class="card">
            <header>
              <h2>Group</h2>
            </header>
            <Form visit={visit} name="add" rule>
              <GroupForm
                visit={visit}
                trial={trial}
                finding={finding}
                value={{ name: '', desc: '', type: 'static', builder: EMPTY_RULE, devices: '' }}
              />
              <div class="acts">
                <button class="btn first" type="submit" name="do" value="add">
                  Add
                </button>
                <Try />
              </div>
            </Form>
          </section>
        </div>
      </>
    ),
  }),
  actions: {
    try: tryIt('DeviceGroup.create'),
    find: findDevices('DeviceGroup.create'),
    async add(visit, form) {
      requireGate(visit, 'DeviceGroup.create')
      const body = await bodyOf(visit, form)
      const { id } = await refusalsAsFormErrors(() => visit.services.deviceGroups.create(visit.actor, body))
      return { to: `/groups/${id}` }
    },
  },
})
