import { expect, test } from 'bun:test'
import { scalar } from '@portlight/snmp/table.ts'
import { type Module, phase } from '../../src/modules/module.ts'
import { type Reader, runModules, type ScalarResult } from '../../src/modules/run.ts'

const device = { deviceId: 1, hostname: 'a', os: null, sysObjectID: null, sysDescr: null, settings: {} }
const object = (n: number) => scalar(`object ${n}`, `1.3.6.1.4.1.99999.${n}.0`, 'Integer')

/** What the modules saw, in order. */
interface Seen {
  readonly module: string
  readonly values: readonly (number | undefined)[]
  readonly complete: boolean
}

/** Modules with these objects, and what each of them saw. */
function modulesOf(lists: Readonly<Record<string, readonly number[]>>): { modules: Module[]; seen: Seen[] } {
  const seen: Seen[] = []
  const modules = Object.entries(lists).map(([name, numbers]) => ({
    name,
    about: '',
    discover: phase({
      scalars: Object.fromEntries(numbers.map((n) => [`o${n}`, object(n)])),
      run({ scalars, scalarsComplete }) {
        seen.push({ module: name, values: numbers.map((n) => scalars[`o${n}`]), complete: scalarsComplete })
        return []
      },
    }),
  }))
  return { modules, seen }
}

/** An agent that has the even-numbered objects; `answer` may override the answer to a request. */
function agentOf(answer: (oids: readonly string[]) => ScalarResult | null = () => null) {
  const questions: number[][] = []
  const reader: Reader = {
    table: () => Promise.reject(new Error('no tables here')),
    async scalars(list) {
      const numbers = list.map(({ oid }) => Number(oid.split('.').at(-2)))
      questions.push(numbers)
      const values = numbers.map((n) => (n % 2 === 0 ? n : undefined))
      return answer(list.map(({ oid }) => oid)) ?? { complete: true, values }
    },
  }
  return { reader, questions }
}

async function discover(modules: readonly Module[], reader: Reader): Promise<void> {
  for await (const _ of runModules(modules, 'discover', device, reader));
}

test('the objects of all modules after the first are read together', async () => {
  const { modules, seen } = modulesOf({ system: [1, 2], b: [3, 4], c: [], d: [4, 5, 6] })
  const { reader, questions } = agentOf()
  await discover(modules, reader)
  expect(questions).toEqual([
    [1, 2],
    [3, 4, 5, 6],
  ])
  expect(seen).toEqual([
    { module: 'system', values: [undefined, 2], complete: true },
    { module: 'b', values: [undefined, 4], complete: true },
    { module: 'c', values: [], complete: true },
    { module: 'd', values: [4, undefined, 6], complete: true },
  ])
})

test.each([
  ['refused', { complete: true, refused: true }],
  ['not answered', { complete: false }],
] as const)('objects that are %s together are requested separately by module', async (_, outcome) => {
  const { modules, seen } = modulesOf({ system: [2], b: [3, 4], c: [6] })
  const { reader, questions } = agentOf((oids) =>
    oids.length > 2 ? { ...outcome, values: oids.map(() => undefined) } : null,
  )
  await discover(modules, reader)
  expect(questions).toEqual([[2], [3, 4, 6], [3, 4], [6]])
  expect(seen.slice(1)).toEqual([
    { module: 'b', values: [undefined, 4], complete: true },
    { module: 'c', values: [6], complete: true },
  ])
})

test('a module is told if its own request is not answered', async () => {
  const { modules, seen } = modulesOf({ system: [2], b: [4] })
  const { reader } = agentOf((oids) =>
    oids[0]?.endsWith('.4.0') === true ? { complete: false, values: [undefined] } : null,
  )
  await discover(modules, reader)
  expect(seen[1]).toEqual({ module: 'b', values: [undefined], complete: false })
})
