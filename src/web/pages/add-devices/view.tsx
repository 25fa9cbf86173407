/** @jsxImportSource #jsx */

import { LIST_LIMITS } from '../../../core/device-lists/service.ts'
import { LIST_COLUMNS } from '../../../core/device-lists/text.ts'
import { Field, Form, kept } from '../../components/form.tsx'
import { Mark, type Tone } from '../../components/icon.tsx'
import { Card, plain } from '../../components/values.tsx'
import type { Html } from '../../jsx/jsx-runtime.ts'
import type { PageRequest } from '../../page.ts'
import { CredentialFields, ProbeFields } from '../add-device/fields.tsx'

/** A line of the results. */
export interface Row {
  /** For example `Line 4: sw1.example.net`. */
  readonly what: string
  readonly text: string
  /** `skipped`: monitored already. */
  readonly state: 'ok' | 'no' | 'skipped'
  /** Address of the page of the device that it is; null: none. */
  readonly to: string | null
}

/** What became of a list. */
export interface Outcome {
  readonly rows: readonly Row[]
  readonly sentence: string
}

const TONES: Readonly<Record<Row['state'], Tone>> = { ok: 'ok', no: 'bad', skipped: 'off' }
const WORDS: Readonly<Record<Row['state'], string>> = { ok: 'OK', no: 'Failed', skipped: 'Skipped' }

/** The results line by line. The script adds lines as they arrive. `hint`: what happens here, until it does. */
export function Outcomes({
  outcome,
  title,
  hint,
}: {
  readonly outcome: Outcome | null
  readonly title: string
  readonly hint: string
}): Html {
  return (
    <section class="card" data-island="probe">
      <header>
        <h2>{title}</h2>
        <span class="sub" data-name />
      </header>
      <ul class="probe">
        {outcome?.rows.map(({ what, text, state, to }) => (
          <li>
            <Mark tone={TONES[state]} label={WORDS[state]} />
            <span dir="auto">
              {to === null ? plain(what) : <a href={to}>{plain(what)}</a>} <span class="sub">{plain(text)}</span>
            </span>
          </li>
        ))}
      </ul>
      <div class="body" data-outcome aria-live="polite">
        {outcome === null ? <p class="hint">{hint}</p> : <p>{plain(outcome.sentence)}</p>}
      </div>
      <footer>You can leave this page meanwhile: adding continues, and the audit says how it ended.</footer>
    </section>
  )
}

/** A list that may have credentials is not sent back. */
const isSecret = (list: string) => /[,;\t]/.test(list)

export function ListForm({ visit, port }: { readonly visit: PageRequest; readonly port: number }): Html {
  const list = kept(visit, 'list', '')
  return (
    <Card title="List">
      <Form visit={visit} name="check" probe>
        <div class="field" data-file hidden>
          <label for="file">File</label>
          <input class="inp" id="file" type="file" accept=".csv,.txt,text/plain,text/csv" data-into="list" />
        </div>
        <Field
          id="list"
          label="Devices"
          rows={10}
          required
          maxLength={LIST_LIMITS.characters}
          value={isSecret(list) ? '' : list}
          placeholder={'sw1.example.net\n192.0.2.7  # core'}
          hint={
            <>
              At most {LIST_LIMITS.lines} devices. Columns of a table, separated by commas:{' '}
              <code>{LIST_COLUMNS.join(', ')}</code>; several groups are separated by semicolons.
            </>
          }
        />
        <p class="hint">For lines that do not say it themselves:</p>
        <CredentialFields visit={visit} />
        <details class="more" open={visit.sent !== null}>
          <summary>More</summary>
          <div class="stack">
            <ProbeFields visit={visit} port={port} />
          </div>
        </details>
        <div class="acts">
          <button class="btn" type="submit" name="do" value="check">
            Check the list
          </button>
          <button class="btn first" type="submit" name="do" value="add">
            Add devices
          </button>
        </div>
      </Form>
    </Card>
  )
}
