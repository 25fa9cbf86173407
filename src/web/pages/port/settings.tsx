/** @jsxImportSource #jsx */
import { invalid } from '../../../core/base/errors.ts'
import type { PortSettings } from '../../../core/ports/service.ts'
import { Button, Check, Field, Form } from '../../components/form.tsx'
import { Card } from '../../components/values.tsx'
import { idOf } from '../../id.ts'
import type { Html } from '../../jsx/jsx-runtime.ts'
import type { Action, PageRequest } from '../../page.ts'
import { requireGate } from '../../permissions.ts'

/** Multiples of bit/s by their prefix. */
const PREFIXES: Readonly<Record<string, number>> = { '': 1, k: 1e3, m: 1e6, g: 1e9, t: 1e12 }

/** A speed as people write it, such as `100M`, `2.5 Gbit/s` or `1000000`, in bit/s; null for an empty text. Throws `invalid`. */
export function speedOf(text: string): number | null {
  if (text.trim() === '') return null
  const [, number, prefix = ''] = /^(\d{1,15}(?:\.\d{1,15})?)\s*([kmgt]?)(?:bit\/s|bps|b)?$/i.exec(text.trim()) ?? []
  if (number === undefined) throw invalid('Write the speed as a number with a prefix, such as 100M, 2.5G or 1000000')
  return Math.round(Number(number) * (PREFIXES[prefix.toLowerCase()] ?? 1))
}

/** The shortest text that `speedOf` reads as this speed. */
export function speedText(bps: number): string {
  for (const [prefix, factor] of [
    ['T', 1e12],
    ['G', 1e9],
    ['M', 1e6],
    ['k', 1e3],
  ] as const) {
    if (bps >= factor && speedOf(`${bps / factor}${prefix}`) === bps) return `${bps / factor}${prefix}`
  }
  return String(bps)
}

/** Stores what the form of the port says. The service checks access to the port. */
export const settingsAction: Action = async (visit, form) => {
  requireGate(visit, 'Port.update')
  await visit.services.ports.decide(visit.actor, idOf(visit.params['id']), {
    ignore: form.get('ignore') === '1',
    disabled: form.get('disabled') === '1',
    speed: speedOf(form.get('speed') ?? ''),
  })
  return { notice: { tone: 'ok', text: 'Saved.' } }
}

/** What a person decides about the port. */
export const Settings = ({
  visit,
  settings,
}: {
  readonly visit: PageRequest
  readonly settings: PortSettings
}): Html => (
  <Card title="Settings">
    <Form visit={visit} name="settings">
      <Check
        name="ignore"
        label="Ignore"
        hint="Raises no alerts and is left out of top lists."
        on={settings.ignore}
        visit={visit}
      />
      <Check name="disabled" label="Do not poll" hint="Its history stays." on={settings.disabled} visit={visit} />
      <Field
        id="speed"
        label="Speed"
        value={settings.speed === null ? '' : speedText(settings.speed)}
        placeholder="as the device reports it"
        hint="Such as 100M or 2.5G, if the device reports a wrong one. Polls and discovery keep it."
        maxLength={40}
        visit={visit}
      />
      <div class="acts">
        <Button first>Save</Button>
      </div>
    </Form>
  </Card>
)
