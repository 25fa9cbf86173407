import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { type Slot, Slots } from '../../../../src/core/logs/receive/slots.ts'

const LIMITS = { total: 4, ofKnown: 3, ofUnknown: 2 }
const slot = (address: string): Slot => ({ address })

test('the oldest silent connection of an unknown address makes room', () => {
  const slots = new Slots<Slot>(LIMITS)
  const [a, b, c, d] = [slot('a'), slot('b'), slot('c'), slot('d')]
  for (const one of [a, b, c, d]) expect(slots.open(one, false)).toBeNull()
  slots.note(a, { hasSpoken: true })
  slots.note(b, { isKnown: true })
  expect(slots.open(slot('e'), false)).toBe(c)
  expect(slots.open(slot('f'), true)).toBe(d)
  expect(slots.size).toBe(4)
})

test('a device displaces anyone but those that sent messages for a device, and nobody else does', () => {
  const slots = new Slots<Slot>(LIMITS)
  const [a, b, c, d] = [slot('a'), slot('b'), slot('c'), slot('d')]
  for (const one of [a, b, c, d]) slots.open(one, true)
  for (const one of [a, b, d]) slots.note(one, { hasSpoken: true })
  expect(slots.open(slot('x'), false)).toBe('refused')
  expect(slots.open(slot('e'), true)).toBe(c)
  slots.note(d, { isKnown: false })
  const f = slot('f')
  expect(slots.open(f, true)).not.toBe(a)
  slots.note(f, { hasSpoken: true })
})

test('an address has a limited number of connections', () => {
  const slots = new Slots<Slot>(LIMITS)
  expect([slots.open(slot('a'), false), slots.open(slot('a'), false), slots.open(slot('a'), false)]).toEqual([
    null,
    null,
    'refused',
  ])
  expect(slots.open(slot('a'), true)).toBeNull()
  const gone = slot('b')
  slots.open(gone, false)
  slots.close(gone)
  slots.close(gone)
  expect(slots.size).toBe(3)
})

test('random histories: never more than the limits, and a device that sent messages keeps its connection', () => {
  const step = fc.record({
    kind: fc.constantFrom('open', 'close', 'speak', 'known', 'unknown'),
    who: fc.nat(20),
    address: fc.nat(5),
    isKnown: fc.boolean(),
  })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const slots = new Slots<Slot>(LIMITS)
      const open: Slot[] = []
      for (const { kind, who, address, isKnown } of steps) {
        const one = open[who % Math.max(1, open.length)]
        if (kind === 'open') {
          const fresh = slot(String(address))
          const victim = slots.open(fresh, isKnown)
          if (victim === 'refused') continue
          open.push(fresh)
          if (victim !== null) open.splice(open.indexOf(victim), 1)
        } else if (one === undefined) continue
        else if (kind === 'close') {
          slots.close(one)
          open.splice(open.indexOf(one), 1)
        } else slots.note(one, kind === 'speak' ? { hasSpoken: true } : { isKnown: kind === 'known' })
        expect(slots.size).toBe(open.length)
        expect(slots.size).toBeLessThanOrEqual(LIMITS.total)
      }
    }),
  )
})
