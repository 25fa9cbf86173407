/** @jsxImportSource #jsx */
import type { DeviceFamily } from '../../../../core/dependencies/parents.ts'
import { Card, count, plain } from '../../../components/values.tsx'
import type { Html } from '../../../jsx/jsx-runtime.ts'

type Relative = DeviceFamily['parents'][number]

const MAX_SHOWN = 8

/** How a parent is known. */
const known = ({ computed, via }: Relative): string => (computed === 0 ? 'by hand' : `computed from ${plain(via)}`)

const Name = ({ one }: { readonly one: Relative }): Html => (
  <>
    <a href={`/device/${one.device_id}`} dir="auto">
      {plain(one.name)}
    </a>
    {one.disabled === 0 && one.status === 0 ? <span class="t-bad"> down</span> : null}
  </>
)

/** Parents and children of a device; nothing if it has none. */
export function Family({ family }: { readonly family: DeviceFamily }): Html | null {
  const { parents, children, childCount, none } = family
  if (parents.length === 0 && childCount === 0 && !none) return null
  const more = childCount - Math.min(children.length, MAX_SHOWN)
  return (
    <Card title="Dependencies">
      <dl class="facts body">
        {none ? (
          <>
            <dt>Parents</dt>
            <dd>none, by hand</dd>
          </>
        ) : null}
        {parents.map((one) => (
          <>
            <dt>Parent</dt>
            <dd>
              <Name one={one} /> <span class="sub">{known(one)}</span>
            </dd>
          </>
        ))}
        {childCount === 0 ? null : (
          <>
            <dt>Children</dt>
            <dd>
              {children.slice(0, MAX_SHOWN).map((one, i) => (
                <>
                  {i === 0 ? '' : ', '}
                  <Name one={one} />
                </>
              ))}
              {more === 0 ? null : <span class="sub"> and {count(more)} more</span>}
            </dd>
          </>
        )}
      </dl>
    </Card>
  )
}
