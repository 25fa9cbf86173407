/** @jsxImportSource #jsx */
import type { Actor } from '../../../../core/base/actor.ts'
import type { Double, OtherAddress } from '../../../../core/candidates/service.ts'
import type { Services } from '../../../../core/services.ts'
import { Card, plain, Time } from '../../../components/values.tsx'
import type { Html } from '../../../jsx/jsx-runtime.ts'

const MAX_SHOWN = 8

/** What else a device is known as. */
export interface Elsewhere {
  /** Other monitored devices that are this device. */
  readonly doubles: readonly Double[]
  readonly addresses: readonly OtherAddress[]
}

export async function elsewhereOf(
  { candidates }: Pick<Services, 'candidates'>,
  actor: Actor,
  deviceId: number,
): Promise<Elsewhere> {
  const [doubles, addresses] = await Promise.all([
    candidates.doubles(actor, deviceId, MAX_SHOWN),
    candidates.otherAddresses(actor, deviceId),
  ])
  return { doubles, addresses }
}

/** Other names under which the device is monitored, and addresses at which it also answers; nothing if there are none. */
export function Identity({
  elsewhere: { doubles, addresses },
  deviceId,
  nowMs,
}: {
  readonly elsewhere: Elsewhere
  readonly deviceId: number
  readonly nowMs: number
}): Html | null {
  if (doubles.length === 0 && addresses.length === 0) return null
  const more = addresses.length - MAX_SHOWN
  return (
    <Card title="Also known as">
      <dl class="facts body">
        {doubles.map(({ device_id, name, other_id, other, reason }) => {
          const [id, called] = device_id === deviceId ? [other_id, other] : [device_id, name]
          return (
            <>
              <dt>Monitored twice</dt>
              <dd>
                Probably the same device as{' '}
                <a href={`/device/${id}`} dir="auto">
                  {plain(called)}
                </a>
                : <span dir="auto">{plain(reason)}</span>. Delete one of them.
              </dd>
            </>
          )
        })}
        {addresses.slice(0, MAX_SHOWN).map(({ address, lastSeen }) => (
          <>
            <dt>Also answers at</dt>
            <dd>
              {plain(address)}{' '}
              <span class="sub">
                last seen <Time at={lastSeen} nowMs={nowMs} />
              </span>
            </dd>
          </>
        ))}
      </dl>
      {more > 0 ? <footer>and {more} more addresses</footer> : null}
    </Card>
  )
}
