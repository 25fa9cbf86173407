import { expect, setDefaultTimeout, test } from 'bun:test'
import { followNeighbours } from '../../../src/app/leader/neighbours.ts'
import { createSettings } from '../../../src/config/settings.ts'
import { INVENTORY_CHANNEL } from '../../../src/core/base/channels.ts'
import { createLog } from '../../../src/observe/log.ts'
import { testDatabase } from '../../support/database.ts'
import { eventually } from '../../support/eventually.ts'
import { mute } from './hosts.ts'

setDefaultTimeout(60_000)

test('neighbours that a discovery reports are asked soon after it', async () => {
  const database = await testDatabase()
  const { store } = database
  const settings = createSettings({ flags: { nets: '10.0.0.0/8' } })
  const asked: string[] = []
  const task = followNeighbours(
    {
      store,
      settings,
      gateway: { resolve: async () => null } as never,
      log: createLog('silent'),
      askHosts: async function* (targets) {
        for await (const target of targets) {
          asked.push(target.address)
          yield { ...mute(target.address, null), target }
        }
      },
    },
    10,
  )
  try {
    await store.sql`insert into devices (device_id, hostname) values (1, 'switch1')`
    await store.sql`insert into links (local_device_id, protocol, remote_hostname, remote_port, remote_version, remote_addresses)
      values (1, 'lldp', 'edge-1', 'eth0', '', '10.0.1.1')`
    await store.sql`select pg_notify(${INVENTORY_CHANNEL}, '')`
    await eventually(async () => (asked.length > 0 ? true : null))
    expect(asked).toEqual(['10.0.1.1'])
    await eventually(async () => ((await store.sql`select from candidates`).length === 1 ? true : null))
  } finally {
    await task.stop()
    await database.drop()
  }
})
