import { expect, setDefaultTimeout, test } from 'bun:test'
import fc from 'fast-check'
import { createOwnership, type PollerNode } from '../../src/domain/cluster/ownership.ts'

setDefaultTimeout(60_000)

const name = fc.stringMatching(/^[a-z][a-z0-9-]{0,12}$/)
const groups = fc.option(fc.uniqueArray(fc.integer({ min: 0, max: 4 }), { minLength: 1, maxLength: 3 }), { nil: null })
const nodes = fc.uniqueArray(fc.record({ name, living: fc.boolean(), groups }), {
  selector: (node) => node.name,
  maxLength: 12,
})
const device = fc.record({ id: fc.integer({ min: 1, max: 2 ** 31 - 1 }), group: fc.integer({ min: 0, max: 5 }) })
const living = (names: readonly string[]): PollerNode[] =>
  names.map((one) => ({ name: one, living: true, groups: null }))

test('every device has one living poller that serves its group, whatever order the pollers are known in', () => {
  fc.assert(
    fc.property(nodes, fc.array(device, { maxLength: 50 }), (known, devices) => {
      const ownership = createOwnership(known)
      const reversed = createOwnership(known.toReversed())
      for (const { id, group } of devices) {
        const named = known.some((node) => node.groups?.includes(group) === true)
        const serves = (node: PollerNode) => (named ? node.groups?.includes(group) === true : node.groups === null)
        const able = known.filter((node) => node.living && serves(node)).map((node) => node.name)
        const owner = ownership.ownerOf(id, group)
        expect(owner === null ? able : able.includes(owner)).toEqual(owner === null ? [] : true)
        expect(reversed.ownerOf(id, group)).toBe(owner)
        expect(ownership.serving(group).toSorted()).toEqual(able.toSorted())
      }
    }),
  )
})

test('a poller that goes gives away its own devices only, and gets the same ones back', () => {
  fc.assert(
    fc.property(fc.uniqueArray(name, { minLength: 2, maxLength: 10 }), fc.nat(), (names, pick) => {
      const gone = names[pick % names.length] ?? ''
      const before = createOwnership(living(names))
      const after = createOwnership(living(names.filter((one) => one !== gone)))
      for (let id = 1; id <= 300; id++) {
        const owner = before.ownerOf(id, 0)
        if (owner === gone) expect(after.ownerOf(id, 0)).not.toBe(gone)
        else expect(after.ownerOf(id, 0)).toBe(owner)
      }
    }),
  )
})

test('pollers have like shares: within five standard deviations of a fair draw', () => {
  fc.assert(
    fc.property(fc.uniqueArray(name, { minLength: 1, maxLength: 8 }), fc.nat({ max: 1_000_000 }), (names, first) => {
      const ownership = createOwnership(living(names))
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
