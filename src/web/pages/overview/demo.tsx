/** @jsxImportSource #jsx */
import { Card } from '../../components/values.tsx'
import type { Html } from '../../jsx/jsx-runtime.ts'

/** Where the demo's stories are told. */
const STORIES = '/help/stories/index'

/** Says that devices of the demo are monitored, and where what happens in it is explained. */
export function DemoHint(): Html {
  return (
    <Card title="This is the demo" right={<a href={STORIES}>Find out why</a>}>
      <p class="body">
        Its devices are simulated, and something happens all the time: a line is full, a switch loses its power, a BGP
        session flaps. <a href={STORIES}>Nine stories</a> show how to find out why. To remove it:{' '}
        <code>portlight demo remove</code>
      </p>
    </Card>
  )
}
