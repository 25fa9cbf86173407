/** @jsxImportSource #jsx */
import { ruleFields, type Trial } from '../../core/alerts/rules/try.ts'
import type { Html } from '../jsx/jsx-runtime.ts'
import { Mark, type Tone } from './icon.tsx'
import { Card, count, plain } from './values.tsx'

/**
 * The field `builder` of a form with `data-rule`: conditions as JSON, for which the script `rule.js` shows the visual
 * builder.
 */
export function RuleBuilder({ value }: { readonly value: string }): Html {
  return (
    <>
      <div data-builder hidden />
      <details class="json" open data-builder-json>
        <summary>JSON</summary>
        <label class="vh" for="builder">
          Condition as JSON
        </label>
        <textarea class="inp mono" id="builder" name="builder" rows="10" spellcheck="false" maxlength="65536">
          {pretty(value)}
        </textarea>
        <p class="hint">
          Groups of conditions, in the format of the API operations add_rule and add_devicegroup. A value in backticks,
          such as <code>`sensors.sensor_limit`</code>, refers to another field.
        </p>
      </details>
      <datalist id="rule-fields">
        {ruleFields().map(({ name, type, words }) => (
          <option value={name} label={words} data-type={type} />
        ))}
      </datalist>
    </>
  )
}

function pretty(builder: string): string {
  try {
    return JSON.stringify(JSON.parse(builder), null, 1)
  } catch {
    return builder
  }
}

/** What a rule matches now. */
export function RuleMatches({
  trial,
  mark,
  title = 'Would match now',
}: {
  readonly trial: Trial
  /** Heading of what it matches. */
  readonly title?: string
  /** Colour and label of a device that matches. */
  readonly mark: readonly [Tone, string]
}): Html {
  if (trial.kind === 'broken') {
    return (
      <Card title={title}>
        <div class="body">
          <p class="t-bad" data-trial-fault>
            It cannot be evaluated: {plain(trial.why)}
          </p>
        </div>
      </Card>
    )
  }
  const { devices, rows, shown, tookMs, rule } = trial
  return (
    <>
      <Card title={title}>
        <div class="body">
          <p>
            <b data-trial-count>
              {devices === 0
                ? 'nothing'
                : `${count(devices)} ${devices === 1 ? 'device' : 'devices'}, ${count(rows)} ${rows === 1 ? 'row' : 'rows'}`}
            </b>{' '}
            <span class="sub">evaluated in {Math.round(tookMs)} ms</span>
          </p>
        </div>
        <ul class="rows">
          {shown.map((one) => (
            <li>
              <Mark tone={mark[0]} label={mark[1]} />
              <span class="grow" dir="auto">
                <a href={`/device/${one.device_id}`}>{plain(one.device)}</a>
                {one.why.map((why) => (
                  <span class="l2 wrap">{plain(why)}</span>
                ))}
                {one.rows > one.why.length ? <span class="l2">and {count(one.rows - one.why.length)} more</span> : null}
              </span>
            </li>
          ))}
        </ul>
        {devices > shown.length ? <footer>and {count(devices - shown.length)} more devices</footer> : null}
      </Card>
      <Card title="In words">
        <div class="body">
          <pre class="pre wrap" dir="auto">
            {plain(rule)}
          </pre>
        </div>
      </Card>
    </>
  )
}
