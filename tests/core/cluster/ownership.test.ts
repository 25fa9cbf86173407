import { expect, setDefaultTimeout, test } from 'bun:test'
import fc from 'fast-check'
import { createOwnership, type PollerNode } from '../../../src/core/cluster/ownership.ts'

setDefaultTimeout(60_000)

const name = fc.stringMatching(/^[a-z][a-z0-9-]{0,12}$/)
const groups = fc.option(fc.uniqueArray(fc.integer({ min: 0, max: 4 }), { minLength: 1, maxLength: 3 }), { nil: null })
const nodes = fc.uniqueArray(fc.record({ name, living: fc.boolean(), groups }), {
  selector: (node) => node.name,
  maxLength: 12,
})
const device = fc.record({ id: fc.integer({ min: 1, max: 2 ** 31 - 1 }), group: fc.integer({ min: 0, max: 5 }) })
const pollersNamed = (names: readonly string[]): PollerNode[] =>
  names.map((one) => ({ name: one, living: true, groups: null }))

test('each device has exactly one live poller of its group, regardless of the order of pollers', () => {
  fc.assert(
    fc.property(nodes, fc.array(device, { maxLength: 50 }), (pollers, devices) => {
      const ownership = createOwnership(pollers)
      const reversed = createOwnership(pollers.toReversed())
      for (const { id, group } of devices) {
        const assigned = pollers.some((node) => node.groups?.includes(group) === true)
        const serves = (node: PollerNode) => (assigned ? node.groups?.includes(group) === true : node.groups === null)
        const candidates = pollers.filter((node) => node.living && serves(node)).map((node) => node.name)
        const owner = ownership.ownerOf(id, group)
        expect(owner === null ? candidates : candidates.includes(owner)).toEqual(owner === null ? [] : true)
        expect(reversed.ownerOf(id, group)).toBe(owner)
        expect(ownership.serving(group).toSorted()).toEqual(candidates.toSorted())
      }
    }),
  )
})

test('when a poller leaves, only its devices move, and they return when it is back', () => {
  fc.assert(
    fc.property(fc.uniqueArray(name, { minLength: 2, maxLength: 10 }), fc.nat(), (names, pick) => {
      const gone = names[pick % names.length] ?? ''
      const before = createOwnership(pollersNamed(names))
      const after = createOwnership(pollersNamed(names.filter((one) => one !== gone)))
      for (let id = 1; id <= 300; id++) {
        const owner = before.ownerOf(id, 0)
        if (owner === gone) expect(after.ownerOf(id, 0)).not.toBe(gone)
        else expect(after.ownerOf(id, 0)).toBe(owner)
      }
    }),
  )
})

test('devices are distributed evenly: each share is within five standard deviations of the mean', () => {
  fc.assert(
    fc.property(fc.uniqueArray(name, { minLength: 1, maxLength: 8 }), fc.nat({ max: 1_000_000 }), (names, first) => {
      const ownership = createOwnership(pollersNamed(names))
      const devices = 4000
      const shares = new Map<string | null, number>()
      for (let id = first + 1; id <= first + devices; id++) {
        const owner = ownership.ownerOf(id, 0)
        shares.set(owner, (shares.get(owner) ?? 0) + 1)
      }
      const p = 1 / names.length
      const bound = 5 * Math.sqrt(devices * p * (1 - p)) + 1
      for (const one of names) expect(Math.abs((shares.get(one) ?? 0) - devices * p)).toBeLessThanOrEqual(bound)
    }),
  )
})
