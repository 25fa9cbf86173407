import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { createNetworkSet } from '../src/network-set.ts'
import { inNetwork } from '../src/networks.ts'

const octets = fc.constantFrom(4, 16).chain((length) => fc.uint8Array({ minLength: length, maxLength: length }))
const network = octets.chain((bytes) =>
  fc.integer({ min: 0, max: bytes.length * 8 }).map((bits) => ({ octets: bytes, bits })),
)

test('an address is in the set exactly if it is in one of the networks', () => {
  fc.assert(
    fc.property(fc.array(network, { maxLength: 8 }), octets, fc.nat({ max: 7 }), (networks, other, pick) => {
      const has = createNetworkSet(networks)
      const near = networks[pick]?.octets ?? other
      for (const address of [other, near]) expect(has(address)).toBe(networks.some((one) => inNetwork(address, one)))
    }),
  )
})
