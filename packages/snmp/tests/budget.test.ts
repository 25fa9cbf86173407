import { afterAll, beforeAll, expect, test } from 'bun:test'
import { Budget } from '../src/budget.ts'
import { openSession } from '../src/session.ts'
import { createTransport, type Transport } from '../src/transport.ts'
import type { SnmpValue } from '../src/value.ts'
import { startAgent, type TestAgent } from './support/agent.ts'

// All columns of a table are walked at the same time; when the budget is over, every one of these walks has to end.

const ENTRY = '1.3.6.1.2.1.2.2.1'
const ROWS = 200
const NAMES = ['a', 'b', 'c', 'd', 'e', 'f', 'g'] as const
const TABLE = {
  name: 'T',
  entry: ENTRY,
  columns: Object.fromEntries(NAMES.map((name, i) => [name, { id: i + 1, syntax: 'Integer' } as const])),
}

let transport: Transport
let agent: TestAgent
beforeAll(async () => {
  const mib: Record<string, SnmpValue> = {}
  for (const c of NAMES.keys())
    for (let r = 1; r <= ROWS; r++) mib[`${ENTRY}.${c + 1}.${r}`] = { kind: 'Integer32', value: r }
  transport = await createTransport()
  agent = await startAgent(() => mib)
})
afterAll(() => {
  agent?.stop()
  transport?.close()
})

/** Outcomes of walks of the first `columns` columns, by reason, with at most `window` requests at a time. */
async function walked(budget: Budget, columns: number, maxWindow: number): Promise<string[]> {
  const session = openSession(transport, agent.target, { maxWindow, maxRepetitions: 20 })
  const outcomes = await session.walkColumns(TABLE, NAMES.slice(0, columns), { budget, expectedRows: ROWS })
  return [...outcomes.values()].map((outcome) => (outcome.kind === 'truncated' ? outcome.reason : outcome.kind))
}

const CASES = NAMES.flatMap((_, i) => [1, 2, 3, 8].map((window) => [i + 1, window] as const))

test.each(CASES)('%d columns end when their job was given up, %d requests at a time', async (columns, window) => {
  const budget = new Budget({ maxRows: 1000, maxOctets: 1e9 })
  budget.close()
  expect(await walked(budget, columns, window)).toEqual(Array(columns).fill('closed'))
})

test.each(CASES)('%d columns end when all octets are used up, %d requests at a time', async (columns, window) => {
  const budget = new Budget({ maxRows: 1000, maxOctets: 500 })
  expect(await walked(budget, columns, window)).toEqual(Array(columns).fill('octets'))
})

test('columns end when their job is given up meanwhile', async () => {
  const budget = new Budget({ maxRows: 1000, maxOctets: 1e9 })
  const outcomes = walked(budget, NAMES.length, 2)
  while (budget.spent === 0) await Bun.sleep(1)
  budget.close()
  expect(await outcomes).toContain('closed')
})
