/** @jsxImportSource #jsx */
import { MAX_PER_MINUTE, MAX_WINDOW_S } from '../../../core/alerts/messages/limits.ts'
import type { SendingChanges, ShownSending } from '../../../core/alerts/transports/admin.ts'
import { invalid } from '../../../core/base/errors.ts'
import { Choice, Field } from '../../components/form.tsx'
import { count } from '../../components/values.tsx'
import type { Html } from '../../jsx/jsx-runtime.ts'
import type { Form, PageRequest } from '../../page.ts'

/** How the transport sends, as the form says. Throws `invalid`, before anything is stored. */
export function sendingOf(form: Form): SendingChanges {
  const grouping = form.get('grouping') ?? ''
  return {
    grouping: grouping === '' ? null : grouping === '1',
    window: numberOf(form, 'window', 'Window', MAX_WINDOW_S),
    rate: numberOf(form, 'rate', 'Rate', MAX_PER_MINUTE),
  }
}

function numberOf(form: Form, name: string, label: string, most: number): number | null {
  const text = (form.get(name) ?? '').trim()
  if (text === '') return null
  if (!/^\d{1,9}$/.test(text) || Number(text) > most)
    throw invalid(`${label}: expected a whole number from 0 to ${most}`)
  return Number(text)
}

/** The fields for how a transport sends. `sending` null: a new transport. */
export function SendingFields({
  sending,
  kind,
  visit,
}: {
  readonly sending: ShownSending | null
  readonly kind: ShownSending['kind']
  readonly visit: PageRequest
}): Html {
  const stored = sending?.grouping ?? null
  return (
    <>
      {kind === 'never' ? null : (
        <>
          <Choice
            visit={visit}
            id="grouping"
            label="Alerts at the same time"
            value={stored === null ? '' : stored ? '1' : '0'}
            options={[
              { value: '', label: `default: ${kind === 'usual' ? 'one message' : 'a message for each alert'}` },
              { value: '1', label: 'one message' },
              { value: '0', label: 'a message for each alert' },
            ]}
          />
          <Field
            visit={visit}
            id="window"
            label="Window (seconds)"
            type="number"
            min={0}
            max={MAX_WINDOW_S}
            value={textOf(sending?.window)}
            hint="How long the first notification waits for others. Empty: the setting alert.group_window."
          />
        </>
      )}
      <Field
        visit={visit}
        id="rate"
        label="Rate (messages a minute)"
        type="number"
        min={0}
        max={MAX_PER_MINUTE}
        value={textOf(sending?.rate)}
        hint="No more are sent in any minute; 0: no limit. Empty: the setting alert.rate."
      />
    </>
  )
}

const textOf = (value: number | null | undefined) => (value === null || value === undefined ? '' : String(value))

/** `several alerts in one message, at most 10 a minute`; '' if there is nothing to say. */
export function sendingText({ now: { grouped, rate } }: ShownSending): string {
  return [grouped ? 'several alerts in one message' : '', rate === 0 ? '' : `at most ${count(rate)} a minute`]
    .filter(Boolean)
    .join(', ')
}
