/** @jsxImportSource #jsx */
import { Choice, Field } from '../../components/form.tsx'
import type { Html } from '../../jsx/jsx-runtime.ts'
import type { Form, Visit } from '../../page.ts'

export interface GroupFields {
  readonly name: string
  readonly desc: string
  readonly type: string
  /** JSON of the rule. */
  readonly rules: string
  /** Names, ids or addresses, one a line. */
  readonly devices: string
}

const MAX_DEVICES = 2000

/** A form as the body that the API takes. Unknown devices are the id 0, which is refused by name. */
export async function bodyOf({ services, actor }: Visit, form: Form): Promise<Readonly<Record<string, unknown>>> {
  const text = (name: string) => (form.get(name) ?? '').trim()
  const common = { name: text('name'), desc: text('desc'), type: text('type') }
  if (common.type === 'dynamic') return { ...common, rules: text('rules') }
  const names = text('devices')
    .split(/[\s,]+/)
    .filter(Boolean)
    .slice(0, MAX_DEVICES)
  const devices: number[] = []
  for (const name of names) {
    devices.push((await services.devices.find(actor, name).catch(() => null))?.device_id ?? 0)
  }
  return { ...common, devices }
}

export function GroupForm({ visit, value }: { readonly visit: Visit; readonly value: GroupFields }): Html {
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
            { value: 'dynamic', label: 'what matches the rule' },
          ]}
        />
      </div>
      <Field visit={visit} id="desc" label="Description" value={value.desc} />
      <Field
        visit={visit}
        id="devices"
        label="Devices of a static group"
        value={value.devices}
        hint="names, ids or addresses, one a line"
        rows={3}
      />
      <Field
        visit={visit}
        id="rules"
        label="Rule of a dynamic group"
        value={value.rules}
        hint={
          'JSON as in the API: {"condition":"AND","rules":[{"field":"devices.os","operator":"equal","value":"ios"}]}'
        }
        rows={3}
      />
    </>
  )
}
