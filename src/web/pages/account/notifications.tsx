/** @jsxImportSource #jsx */
import type { Browser } from '../../../core/alerts/push/service.ts'
import { agentWord } from '../../components/agent.ts'
import { Button, Form, Hidden } from '../../components/form.tsx'
import { Card, Time } from '../../components/values.tsx'
import type { Html } from '../../jsx/jsx-runtime.ts'
import type { PageRequest } from '../../page.ts'

/** Browsers in which the user turned on notifications. `publicKey`: what browsers subscribe with. */
export function Notifications({
  browsers,
  publicKey,
  visit,
}: {
  readonly browsers: readonly Browser[]
  readonly publicKey: string
  readonly visit: PageRequest
}): Html {
  return (
    <Card title="Notifications in browsers" sub={browsers.length === 0 ? 'off' : browsers.length}>
      <div data-push={publicKey}>
        <Form visit={visit} name="push-add">
          <Hidden name="subscription" value="" />
          <p class="hint" role="status" data-push-state>
            Notifications need scripts, which this browser does not run.
          </p>
          <p class="hint">Alerts arrive here through transports of kind Web push that name {visit.actor.username}.</p>
          <div class="acts">
            <button class="btn p" type="button" data-push-on hidden>
              Turn on in this browser
            </button>
          </div>
        </Form>
      </div>
      {browsers.length === 0 ? null : (
        <ul class="rows">
          {browsers.map(({ id, agent, endpoint_hash: hash, created_at, sent_at }) => (
            <li data-push-browser={hash}>
              <span class="grow" dir="auto">
                {agentWord(agent)}
                <span class="l2">
                  on since <Time at={created_at} nowMs={visit.nowMs} />
                  {sent_at === null ? ' · nothing sent yet' : ' · last notification '}
                  {sent_at === null ? null : <Time at={sent_at} nowMs={visit.nowMs} />}
                </span>
              </span>
              <Form visit={visit} name="push-remove" line>
                <Hidden name="id" value={id} />
                <Button small label={`Turn off notifications in ${agentWord(agent)}`}>
                  Turn off
                </Button>
              </Form>
            </li>
          ))}
        </ul>
      )}
      {browsers.length === 0 ? null : (
        <Form visit={visit} name="push-test">
          <div class="acts">
            <Button>Send a test</Button>
          </div>
        </Form>
      )}
    </Card>
  )
}
