/** @jsxImportSource #jsx */
import type { Trial } from '../../../core/alerts/rules/try.ts'
import { invalid } from '../../../core/base/errors.ts'
import type { DeviceGroupRecord } from '../../../core/groups/device-groups.ts'
import { Choice, Field } from '../../components/form.tsx'
import { RuleBuilder, RuleMatches } from '../../components/rule-builder.tsx'
import type { Html } from '../../jsx/jsx-runtime.ts'
import type { Form, PageRequest } from '../../page.ts'
import { requireGate } from '../../permissions.ts'
import { FindDevices, type Finding, tickedDevices } from './find-devices.tsx'

export interface GroupFields {
  readonly name: string
  readonly desc: string
  readonly type: string
  /** JSON of the rule. */
  readonly builder: string
  /** Names, ids or addresses, one per line. */
  readonly devices: string
}

/** A form as the body of the API operation. Throws `invalid` for unknown devices. */
export async function bodyOf({ services, actor }: PageRequest, form: Form): Promise<Readonly<Record<string, unknown>>> {
  const text = (name: string) => (form.get(name) ?? '').trim()
  const common = { name: text('name'), desc: text('desc'), type: text('type') }
  if (common.type === 'dynamic') return { ...common, rules: text('builder') }
  const names = [...new Set(text('devices').split(/[\s,]+/))].filter(Boolean)
  const found = await services.devices.allVisible(actor, names)
  const unknown = names.flatMap((name, i) => (found[i] === null ? [name.slice(0, 100)] : []))
  if (unknown.length > 0) throw invalid(`There is no device ${unknown.slice(0, 5).join(', ')}`)
  const ids = found.flatMap((device) => device?.device_id ?? [])
  return { ...common, devices: [...new Set([...tickedDevices(form), ...ids])] }
}

/** The rule that a new dynamic group begins with. */
export const EMPTY_RULE = JSON.stringify({
  condition: 'AND',
  rules: [{ id: 'devices.os', field: 'devices.os', operator: 'equal', value: '' }],
  valid: true,
})

/** What the rule in the form, or of the stored group, matches now; null if the group is static. */
export async function tried(
  { services, actor, sent }: PageRequest,
  group: Pick<DeviceGroupRecord, 'type' | 'rules'> | null,
): Promise<Trial | null> {
  if ((sent?.get('type') ?? group?.type) !== 'dynamic') return null
  const builder = sent?.get('builder') ?? group?.rules ?? ''
  return await services.ruleTrial.run(actor, {
    ...{ builder, invert: false, invertMap: false, devices: [], groups: [], locations: [] },
  })
}

/** Answers `try`: the form is shown again with what its rule matches. Asks for the permission to store it. */
export const tryIt = (gate: 'DeviceGroup.create' | 'DeviceGroup.update') => async (visit: PageRequest) => {
  requireGate(visit, gate)
  return { notice: { tone: 'ok', text: 'Not saved yet. What the rule matches is shown below.' } } as const
}

export function GroupForm({
  visit,
  value,
  trial,
  finding,
}: {
  readonly visit: PageRequest
  readonly value: GroupFields
  readonly finding: Finding
  readonly trial: Trial | null
}): Html {
  return (
    <>
      <div class="line">
        <Field visit={visit} id="name" label="Name" value={value.name} required />
        <Choice
          visit={visit}
          id="type"
          label="Members"
          value={value.type}
          options={[
            { value: 'static', label: 'the devices below' },
            { value: 'dynamic', label: 'devices that match the rule' },
          ]}
        />
      </div>
      <Field visit={visit} id="desc" label="Description" value={value.desc} />
      <div class="only-static stack">
        <Field
          visit={visit}
          id="devices"
          label="Devices"
          value={value.devices}
          hint="names, ids or addresses, one per line"
          rows={3}
        />
        <FindDevices finding={finding} />
      </div>
      <div class="only-dynamic stack">
        <RuleBuilder value={visit.sent?.get('builder') ?? value.builder} overTime={false} />
        <div class="stack" data-trial aria-live="polite">
          {trial === null ? null : <RuleMatches trial={trial} mark={['ok', 'matches']} />}
        </div>
      </div>
    </>
  )
}

/** Shows what the rule matches, without storing it; the script does this automatically. */
export const Try = (): Html => (
  <button class="btn only-dynamic" type="submit" name="do" value="try" formnovalidate>
    Try
  </button>
)
