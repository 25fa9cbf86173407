import type { Composed } from '../../src/app/server.ts'
import { FLEET } from '../../src/demo/fleet.ts'
import { Responder } from '../../src/demo/responder.ts'
import { DEFAULT_SEED } from '../../src/demo/serve.ts'
import { crawl } from '../web/crawl.ts'

/** The agent of a device of the demo, as the running one answers. */
export function responder(name: string): Responder {
  const model = FLEET.find((m) => m.name === name)
  if (model === undefined) throw new Error(`no ${name}`)
  return new Responder({ model, seed: DEFAULT_SEED, community: 'public' })
}

/** The text of every page of a running demo that an administrator reaches from the first one, by its path. */
export async function allPages(server: Composed): Promise<Awaited<ReturnType<typeof crawl>>> {
  const password = server.adminPassword ?? ''
  const signedIn = await fetch(`${server.url}/sign-in`, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: server.url },
    body: new URLSearchParams({ username: 'admin', password }),
  })
  const cookie = signedIn.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ')
  return await crawl(['/'], (path) => fetch(server.url + path, { headers: { cookie }, redirect: 'manual' }))
}

/** Devices of which two samples of a port are further apart than the second one's period, or closer, by more than 10 s. */
export const BREAKS = `
  select hostname, max(abs(apart))::float8 as apart from (
    select d.hostname, extract(epoch from x."time" - lag(x."time") over (partition by x.port_id order by x."time"))
      - x.period_ms / 1000.0 as apart
    from devices d join ports p using (device_id) join ts.port_samples_stored x using (port_id)) s
  where hostname not in ('warehouse-1', 'ap-2', 'printer-3') group by 1 having max(abs(apart)) > 10`
