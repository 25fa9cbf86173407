import { fillDevice } from '../support/fill.ts'
import { testLooks } from './looks.ts'
import { REST } from './looks-addresses.ts'
import { addressOf } from './page-addresses.ts'

let ids: ReadonlyMap<string, number> = new Map()

testLooks(
  'all tabs of a device',
  () => REST.filter((path) => path.startsWith('/device/')).map((path) => addressOf(path, ids, 1)),
  async ({ api }) => {
    ;({ ids } = await fillDevice(api.store, 40_000, 'a-rather-long-name-of-what-was-found'))
  },
)
