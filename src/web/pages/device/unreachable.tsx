/** @jsxImportSource #jsx */
import type { DeviceFamily } from '../../../core/dependencies/parents.ts'
import { count, plain, Time } from '../../components/values.tsx'
import type { Html } from '../../jsx/jsx-runtime.ts'

/** Why a device is unreachable, or what is unreachable because of it; nothing if neither is so. */
export function UnreachableNote({
  family,
  nowMs,
}: {
  readonly family: DeviceFamily
  readonly nowMs: number
}): Html | null {
  const { unreachable, behind } = family
  if (unreachable === null && behind === 0) return null
  return (
    <div class="note warn" role="status">
      <div class="grow">
        {unreachable === null ? (
          <>
            <b>
              {count(behind)} {behind === 1 ? 'device is' : 'devices are'} unreachable
            </b>{' '}
            because this one is down. No alerts are sent for {behind === 1 ? 'it' : 'them'}.
          </>
        ) : (
          <>
            <b>Unreachable</b> since <Time at={unreachable.since} nowMs={nowMs} clock />, because{' '}
            {unreachable.name === null || unreachable.device_id === null ? (
              'a device on the way to it'
            ) : (
              <a href={`/device/${unreachable.device_id}`} dir="auto">
                {plain(unreachable.name)}
              </a>
            )}{' '}
            is down. Whether this device itself works is unknown, and no alerts are sent for it.
          </>
        )}
      </div>
    </div>
  )
}
