/** @jsxImportSource #jsx */

import { DomainError, type DomainErrorCode, toDomainError } from '../../../core/base/errors.ts'
import { advice } from '../../../core/devices/advice.ts'
import { type AddStep, millis, startText } from '../../../core/devices/steps.ts'
import { Button, Field, Form, kept } from '../../components/form.tsx'
import { Mark, type Tone } from '../../components/icon.tsx'
import { Card, plain } from '../../components/values.tsx'
import type { Html } from '../../jsx/jsx-runtime.ts'
import { type Form as FormData, type PageRequest, page } from '../../page.ts'
import { CredentialFields, ProbeFields } from './fields.tsx'
import { requestOf } from './request.ts'
import { lines } from './stream.ts'

/** Result of a form sent without scripts. */
interface Attempt {
  readonly name: string
  readonly steps: readonly AddStep[]
  readonly problem: string
  /** Page of the monitored device that it is; null: none. */
  readonly known: string | null
  readonly advice: readonly string[]
}

/** Results by form, for the page that answers it. */
const attempts = new WeakMap<FormData, Attempt>()

/** Adds a device, and shows what was tried and why it did not answer. */
export const addDevicePage = page<{ readonly attempt: Attempt | null; readonly port: number }>({
  path: '/devices/new',
  gate: 'Device.create',
  load: ({ services, sent }) =>
    Promise.resolve({
      attempt: sent === null ? null : (attempts.get(sent) ?? null),
      port: services.config.get('snmp.port'),
    }),
  view: ({ attempt, port }, visit) => ({
    title: 'Add a device',
    crumbs: [{ label: 'Devices', href: '/devices' }, { label: 'Add a device' }],
    body: (
      <>
        <div class="head">
          <h1>Add a device</h1>
          <p>
            A name or an address is enough. For everything else, the values in the settings are tried in order. Or{' '}
            <a href="/devices/new/list">add several</a> from a list.
          </p>
        </div>
        <div class="cols">
          <AddForm visit={visit} port={port} />
          <Tried attempt={attempt} />
        </div>
      </>
    ),
  }),
  actions: {
    async add(visit, form) {
      if (visit.streams) return lines((send) => addWithLines(visit, form, send))
      const steps: AddStep[] = []
      try {
        const { record } = await visit.services.devices.addAndReport(visit.actor, requestOf(form), {
          ended: (step) => steps.push(step),
        })
        return { to: `/device/${record.device_id}` }
      } catch (error) {
        const { code, problem, known } = problemOf(error)
        const name = (form.get('hostname') ?? '').trim()
        attempts.set(form, { name, steps, problem, known, advice: advice(code, steps, portOf(visit, form)) })
        throw new DomainError('invalid', problem)
      }
    },
  },
})

const portOf = ({ services }: PageRequest, form: FormData) =>
  Number(form.get('port')) || services.config.get('snmp.port')

/** The text for a refusal; rethrows other errors. */
function problemOf(error: unknown): {
  readonly code: DomainErrorCode
  readonly problem: string
  readonly known: string | null
} {
  const known = toDomainError(error)
  if (known === null) throw error
  if (known.code === 'forbidden')
    return {
      code: 'forbidden',
      problem: 'A device with this name or address exists, but you have no access to it.',
      known: null,
    }
  const { deviceId } = known
  return { code: known.code, problem: known.message, known: deviceId === null ? null : `/device/${deviceId}` }
}

async function addWithLines(visit: PageRequest, form: FormData, send: (line: object) => void): Promise<void> {
  const { services, actor } = visit
  const steps: AddStep[] = []
  try {
    const added = await services.devices.addAndReport(actor, requestOf(form), {
      begins: (start) => send({ asking: plain(startText(start)) }),
      ended(step) {
        steps.push(step)
        send({ step: { ...step, what: plain(step.what), result: plain(step.result), took: millis(step.tookMs) } })
      },
    })
    const { device_id, hostname } = added.record
    send({ to: `/device/${device_id}`, name: plain(hostname) })
  } catch (error) {
    const known = toDomainError(error)
    if (known === null) {
      const reference = crypto.randomUUID().slice(0, 8)
      services.log.error({ err: error, reference }, 'adding a device failed')
      send({ problem: `Internal error in Portlight. See reference ${reference} in the log.`, advice: [] })
      return
    }
    const { code, problem, known: link } = problemOf(known)
    send({
      problem: plain(problem),
      ...(link !== null && { known: link }),
      advice: advice(code, steps, portOf(visit, form)),
    })
  }
}

const TONES: Readonly<Record<AddStep['state'], Tone>> = { ok: 'ok', no: 'bad', skipped: 'off' }

/** What was tried. The script adds lines as they arrive. */
function Tried({ attempt }: { readonly attempt: Attempt | null }): Html {
  return (
    <section class="card" data-island="probe" aria-live="polite">
      <header>
        <h2>What was tried</h2>
        <span class="sub" data-name dir="auto">
          {attempt === null ? '' : plain(attempt.name)}
        </span>
      </header>
      <ul class="probe">
        {attempt?.steps.map(({ what, result, state, tookMs }) => (
          <li>
            <Mark tone={TONES[state]} label={state === 'ok' ? 'OK' : state === 'no' ? 'Failed' : 'Skipped'} />
            <span dir="auto">
              {plain(what)} <span class="sub">{plain(result)}</span>
            </span>
            <span class="sub">{millis(tookMs)}</span>
          </li>
        ))}
      </ul>
      <div class="body" data-outcome>
        {attempt === null ? (
          <p class="hint">
            Each step is shown here as it happens, with the time it takes at most: the name lookup, a ping, and each set
            of credentials, identified by number and never by value.
          </p>
        ) : (
          <>
            <p>
              <b>Not added.</b> {plain(attempt.problem)}{' '}
              {attempt.known === null ? null : <a href={attempt.known}>Open the device</a>}
            </p>
            {attempt.advice.length === 0 ? null : (
              <ol class="advice">
                {attempt.advice.map((one) => (
                  <li>{one}</li>
                ))}
              </ol>
            )}
          </>
        )}
      </div>
      <footer>You can leave this page meanwhile. The device is in the list as soon as it has been added.</footer>
    </section>
  )
}

function AddForm({ visit, port }: { readonly visit: PageRequest; readonly port: number }): Html {
  const old = (name: string, otherwise = '') => kept(visit, name, otherwise)
  return (
    <Card title="Device">
      <Form visit={visit} name="add" probe>
        <Field
          id="hostname"
          label="Name or address"
          value={old('hostname', visit.query.get('hostname')?.slice(0, 255) ?? '')}
          required
        />
        <CredentialFields visit={visit} />
        <details class="more" open={visit.sent !== null}>
          <summary>More</summary>
          <div class="stack">
            <Field id="address" label="Address to use instead of looking up the name" value={old('address')} />
            <Field
              id="display"
              label="Display name"
              value={old('display')}
              hint="May contain {{ $hostname }}, {{ $sysName }} and {{ $ip }}."
            />
            <ProbeFields visit={visit} port={port} />
          </div>
        </details>
        <div class="acts">
          <Button first>Add device</Button>
        </div>
      </Form>
    </Card>
  )
}
