import { connect, type Store } from '../../src/core/database/client.ts'
import { testDatabase, testServers } from '../support/database.ts'
import { HAS_FULL_EDITION, startFullEdition } from '../support/full-edition.ts'

/** A server to test on, and how to open a fresh database there. */
export interface GrafanaServer {
  readonly name: string
  open(): Promise<{ readonly store: Store; drop(): Promise<void> }>
}

/** The servers of the store's tests, and the full edition of TimescaleDB if it is installed. */
export function grafanaServers(): readonly GrafanaServer[] {
  const usual = testServers().map(({ name, url }) => ({ name, open: () => testDatabase(url) }))
  return HAS_FULL_EDITION ? [...usual, { name: 'full edition', open: openFullEdition }] : usual
}

async function openFullEdition(): Promise<{ store: Store; drop(): Promise<void> }> {
  const server = await startFullEdition({ migrated: true })
  const store = connect(server.url, { max: 1 })
  return {
    store,
    async drop() {
      await store.close()
      await server.stop()
    },
  }
}
