/** @jsxImportSource #jsx */
import type { PastFirings } from '../../core/alerts/learned/preview.ts'
import { ruleFields, type Trial } from '../../core/alerts/rules/try.ts'
import type { Html } from '../jsx/jsx-runtime.ts'
import { Mark, type Tone } from './icon.tsx'
import { Card, count, plain } from './values.tsx'

/**
 * The field `builder` of a form with `data-rule`: conditions as JSON, for which the script `rule.js` shows the visual
 * builder.
 */
export function RuleBuilder({
  value,
  overTime,
}: {
  readonly value: string
  /** Conditions may look at time: those of alert rules may, those of groups may not. */
  readonly overTime: boolean
}): Html {
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
        {ruleFields().map(({ name, type, words, past }) => (
          <option value={name} label={words} data-type={type} data-past={overTime && past ? '' : null} />
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

/** How often the condition on what is usual would have been true. */
function pastWords({ things, known, isPart, times, on, hours }: PastFirings): string {
  if (known === 0)
    return things === 0
      ? 'Nothing has a value that the condition compares.'
      : 'What is usual is not known yet: it takes three weeks of values to learn.'
  const of = `${isPart ? 'the first ' : ''}${count(known)} ${known === 1 ? 'value' : 'values'} whose usual range is known`
  if (times === 0) return `The condition would not have been true on any of ${of}.`
  const often = times === 1 ? 'once' : `${count(times)} times`
  return `The condition would have become true ${often}, on ${count(on)} of ${of}, for ${count(hours)} ${hours === 1 ? 'hour' : 'hours'} in all.`
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
        {shown.length === 0 ? null : (
          <ul class="rows">
            {shown.map((one) => (
              <li>
                <Mark tone={mark[0]} label={mark[1]} />
                <span class="grow" dir="auto">
                  <a href={`/device/${one.device_id}`}>{plain(one.device)}</a>
                  {one.why.map((why) => (
                    <span class="l2 wrap">{plain(why)}</span>
                  ))}
                  {one.rows > one.why.length ? (
                    <span class="l2">and {count(one.rows - one.why.length)} more</span>
                  ) : null}
                </span>
              </li>
            ))}
          </ul>
        )}
        {devices > shown.length ? <footer>and {count(devices - shown.length)} more devices</footer> : null}
      </Card>
      {trial.past === null ? null : (
        <Card title="In the last month">
          <div class="body">
            <p data-trial-past>{pastWords(trial.past)}</p>
          </div>
        </Card>
      )}
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
