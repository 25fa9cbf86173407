import { expect, test } from 'bun:test'
import { addressOctets, inNetwork, parseNetwork } from '@portlight/addresses/networks.ts'
import fc from 'fast-check'
import { createScanPlan, type PlanInput, type ScanPlan } from '../../../src/core/scans/scan-plan.ts'

function all(plan: ScanPlan): string[] {
  return Array.from({ length: plan.positions }, (_, position) => plan.at(position)).filter((one) => one !== null)
}
const planOf = (networks: readonly string[], more: Partial<PlanInput> = {}): ScanPlan =>
  createScanPlan({ networks, own: ['0.0.0.0/0', '::/0'], exclude: [], ...more })
const isIn = (address: string, networks: readonly string[]): boolean =>
  networks.some((text) => {
    const octets = addressOctets(address)
    const network = parseNetwork(text)
    return octets !== null && network !== null && inNetwork(octets, network)
  })

test('a network has no network and broadcast address; one of two addresses has two, one of one has one', () => {
  expect(all(planOf(['10.0.0.0/30']))).toEqual(['10.0.0.1', '10.0.0.2'])
  expect(all(planOf(['10.0.0.4/31']))).toEqual(['10.0.0.4', '10.0.0.5'])
  expect(all(planOf(['10.0.0.9/32', '10.0.0.7']))).toEqual(['10.0.0.9', '10.0.0.7'])
  expect(all(planOf(['::/127']))).toEqual(['::', '::1'])
  expect(all(planOf(['2001:db8::/126']))).toEqual(['2001:db8::1', '2001:db8::2', '2001:db8::3'])
  expect(all(planOf(['255.255.255.255']))).toEqual(['255.255.255.255'])
  expect(all(planOf(['255.255.255.254/31']))).toEqual(['255.255.255.254', '255.255.255.255'])
  expect(all(planOf(['0.0.0.0/31']))).toEqual(['0.0.0.0', '0.0.0.1'])
  expect(planOf(['0.0.0.0/0']).total).toBe(2 ** 32 - 2)
})

test('requests are spread over the subnets', () => {
  const first = all(planOf(['10.0.0.0/22', '10.9.0.0/24'])).slice(0, 5)
  expect(first.map((address) => address.split('.')[2])).toEqual(['0', '1', '2', '3', '0'])
  expect(new Set(first).size).toBe(5)
})

test('what is in no network of nets, excluded, or scanned apart is not asked', () => {
  const plan = planOf(['10.0.0.0/24', '192.0.2.0/24'], {
    own: ['10.0.0.0/25'],
    exclude: ['10.0.0.64/26'],
    apart: ['10.0.0.0/28'],
  })
  const asked = all(plan)
  expect(asked.every((address) => isIn(address, ['10.0.0.0/25']))).toBe(true)
  expect(asked.some((address) => isIn(address, ['10.0.0.64/26', '10.0.0.0/28']))).toBe(false)
  expect(plan.total).toBe(48)
  expect(plan.excludedAddresses(10).length).toBeLessThanOrEqual(11)
  expect(plan.excludedAddresses(1000)).toContain('10.0.0.65')
})

const base = fc.constantFrom('10.0.0.', '10.0.1.', '255.255.255.', '0.0.0.')
const v4 = fc
  .tuple(base, fc.nat({ max: 255 }), fc.integer({ min: 23, max: 32 }))
  .map(([prefix, last, bits]) => `${prefix}${last}/${bits}`)
const v6 = fc
  .tuple(fc.constantFrom('2001:db8::', '::'), fc.nat({ max: 0xffff }), fc.integer({ min: 119, max: 128 }))
  .map(([prefix, last, bits]) => `${prefix}${last.toString(16)}/${bits}`)
const networks = fc.array(fc.oneof(v4, v6), { maxLength: 6 })

test('every address is asked once, none that is excluded or not own, and the counts are right', () => {
  fc.assert(
    fc.property(networks, networks, networks, fc.boolean(), (given, own, exclude, isAllOwn) => {
      const mine = isAllOwn ? ['0.0.0.0/0', '::/0'] : own
      const plan = createScanPlan({ networks: given, own: mine, exclude })
      const asked = all(plan)
      expect(new Set(asked).size).toBe(asked.length)
      expect(plan.total).toBe(asked.length)
      for (const address of asked) {
        expect(isIn(address, given) && isIn(address, mine)).toBe(true)
        expect(isIn(address, exclude)).toBe(false)
      }
      const left = plan.excludedAddresses(1_000_000)
      expect(left.length).toBe(plan.excluded)
      expect(left.some((address) => asked.includes(address))).toBe(false)
      if (isAllOwn) expect(plan.total + plan.excluded).toBe(planOf(given).total)
    }),
    { numRuns: 200 },
  )
})

test('from any position the rest follows, so that a scan can be resumed', () => {
  fc.assert(
    fc.property(networks, networks, fc.double({ min: 0, max: 1, noNaN: true }), (given, exclude, share) => {
      const whole = createScanPlan({ networks: given, own: ['0.0.0.0/0', '::/0'], exclude })
      const again = createScanPlan({ networks: given, own: ['0.0.0.0/0', '::/0'], exclude })
      const cut = Math.floor(whole.positions * share)
      const before = Array.from({ length: cut }, (_, i) => whole.at(i))
      const after = Array.from({ length: whole.positions - cut }, (_, i) => again.at(cut + i))
      expect([...before, ...after].filter((one) => one !== null)).toEqual(all(whole))
    }),
    { numRuns: 50 },
  )
})
