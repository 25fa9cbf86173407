/** @jsxImportSource #jsx */
import type { AlertInFull, RowFact } from '../../../core/alerts/alert-list.ts'
import { isOpen } from '../../../core/base/alert-states.ts'
import { Card, count, Empty, plain } from '../../components/values.tsx'
import type { Html } from '../../jsx/jsx-runtime.ts'

/** What is known of the row that a rule matched. */
export const RowFacts = ({ facts }: { readonly facts: readonly RowFact[] }): Html => (
  <dl class="facts said">
    {facts.map(({ label, value }) => (
      <>
        <dt>{label}</dt>
        <dd dir="auto">{plain(value)}</dd>
      </>
    ))}
  </dl>
)

/** What is wrong: a sentence for each fault, which opens to what is known of it. */
export function Matched({ data: { alert, what } }: { readonly data: AlertInFull }): Html {
  const title = isOpen(alert.state) ? 'What is wrong' : 'What was wrong'
  const all = Math.max(alert.faults, what.length)
  return (
    <Card title={title} sub={count(all)}>
      {what.length === 0 ? (
        <Empty title="What matched was not stored" />
      ) : (
        <ul class="rows">
          {what.map(({ words, facts }) => (
            <li>
              <details class="grow fault">
                <summary dir="auto">{plain(words)}</summary>
                <RowFacts facts={facts} />
              </details>
            </li>
          ))}
        </ul>
      )}
      {all > what.length && what.length > 0 ? <footer>and {count(all - what.length)} more</footer> : null}
    </Card>
  )
}
