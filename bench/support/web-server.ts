import { serveApi } from '../../src/api/serve.ts'
import { createSettings } from '../../src/config/settings.ts'
import type { Store } from '../../src/core/database/client.ts'
import { createGateway } from '../../src/core/pollers/gateway.ts'
import { HERE } from '../../src/core/pollers/owner.ts'
import { createServices } from '../../src/core/services.ts'
import { createGraphs } from '../../src/graphs/graphs.ts'
import { storedSeries } from '../../src/graphs/store-source.ts'
import { createLog } from '../../src/observe/log.ts'
import { createWeb } from '../../src/web/web.ts'

/** Password of user `admin` on the measured pages. */
export const PASSWORD = 'a password for the bench'

/** Serves API and web pages from the store while `work` runs. Nothing is polled. */
export async function withPages<T>(store: Store, work: (origin: string) => Promise<T>): Promise<T> {
  const settings = createSettings({ flags: {} })
  const log = createLog('silent')
  const poller = () => Promise.reject(new Error('this server has no poller'))
  const gateway = createGateway({
    ...{ store, settings, log, poller },
    ownerOf: () => Promise.resolve(HERE),
    changed: () => undefined,
  })
  const services = createServices({
    store,
    settings,
    gateway,
    graphs: createGraphs({ series: storedSeries(store, settings), now: Date.now }),
    log,
    version: { name: 'Portlight', version: 'bench', revision: '', builtAt: '' },
  })
  await services.users.create({ username: 'admin', password: PASSWORD, roles: ['admin'] })
  const server = serveApi(services, { hostname: '127.0.0.1', port: 0 }, {}, undefined, createWeb(services))
  try {
    return await work(`http://127.0.0.1:${server.port}`)
  } finally {
    await server.stop()
  }
}
