import { afterEach, beforeEach, expect, setDefaultTimeout, test } from 'bun:test'
import { mountedRoutes } from '../../../src/api/route-index.ts'
import type { Answer } from '../../support/api.ts'
import { type Attempt, type Case, cases } from './cases.ts'
import { createWorld, digest, FOREIGN_TEXT, visibleDevices, type World } from './world.ts'

setDefaultTimeout(300_000)

let world: World
let table: readonly Case[]
const methods = new Map<string, string>()
beforeEach(async () => {
  world = await createWorld()
  table = cases(world)
  for (const { method, operation } of writing()) methods.set(operation, method)
})
afterEach(() => world.api.drop())

/** Every writing operation of v0 and v1: all methods but GET, and the one GET that triggers work. */
const writing = () =>
  mountedRoutes(world.api.app).filter(
    (route) => (route.method !== 'GET' || route.operation === 'discover_device') && route.path.startsWith('/api/'),
  )

/** v1 takes its token from the Authorization header only. */
async function send(operation: string, { path, body }: Attempt, token?: string): Promise<Answer> {
  const isV1 = path.startsWith('/api/v1/')
  const bearer = isV1 ? (token ?? (await world.api.token(['admin'])).token) : ''
  const headers = { Authorization: `Bearer ${bearer}`, 'Content-Type': 'application/vnd.api+json' }
  return await world.api.call(methods.get(operation) ?? '', isV1 ? path : `/api/v0${path}`, {
    ...(body !== undefined && { body }),
    ...(isV1 ? { token: null, headers } : token !== undefined && { token }),
  })
}

/** Errors, and responses with 200 that nothing was done (contract BEHAVIOUR.md 3). */
const isRefusal = ({ status, text }: Answer) => status >= 400 || /No alert( rule)? by that ID/i.test(text)

/** The request with unknown ids and names, whose response must be the same as for objects that are not granted. */
function unknown({ aim, path, body }: Attempt): Attempt {
  const rename = (text: string) => text.replaceAll(/\b9000(\d{5})\b/g, '8999$1').replaceAll(/foreign/gi, 'nobody')
  return { aim, path: rename(path), ...(body !== undefined && { body: JSON.parse(rename(JSON.stringify(body))) }) }
}

const each = (kind: 'foreign' | 'own') =>
  table.flatMap(({ operation, [kind]: attempts }) =>
    typeof attempts === 'string' ? [] : attempts.map((attempt) => ({ operation, attempt })),
  )

test('every writing operation has a row in the table', () => {
  expect(writing().length).toBeGreaterThan(40)
  expect(table.map((row) => row.operation).toSorted()).toEqual(
    writing()
      .map((route) => route.operation)
      .toSorted(),
  )
})

test('with every permission and one granted device, no other device can be changed', async () => {
  const wrong: unknown[] = []
  const before = await digest(world)
  for (const { operation, attempt } of each('foreign')) {
    const answer = await send(operation, attempt, world.token)
    const after = await digest(world)
    const changed = Object.keys(after).filter((name) => after[name] !== before[name])
    Object.assign(before, after)
    const told = { status: answer.status, text: answer.text.slice(0, 120) }
    if (changed.length > 0) wrong.push({ operation, aim: attempt.aim, changed, ...told })
    else if (attempt.passesOver !== true && !isRefusal(answer)) wrong.push({ operation, aim: attempt.aim, ...told })
    else if (![200, 403, 404].includes(answer.status)) {
      const same = await send(operation, unknown(attempt), world.token)
      if (same.status !== answer.status) wrong.push({ operation, aim: attempt.aim, ...told, unknown: same.status })
    }
  }
  expect(wrong).toEqual([])
})

test('the same operations change only granted objects', async () => {
  const wrong: unknown[] = []
  const seen = new Set(await visibleDevices(world))
  const before = await digest(world, FOREIGN_TEXT)
  for (const { operation, attempt } of each('own')) {
    // deleting a device also deletes references to it
    const rows = operation === 'del_device' ? [] : Object.keys(before)
    const answer = await send(operation, attempt, world.token)
    const after = await digest(world, FOREIGN_TEXT)
    const changed = rows.filter((name) => after[name] !== before[name])
    Object.assign(before, after)
    const told = { operation, aim: attempt.aim, status: answer.status, text: answer.text.slice(0, 120) }
    if (isRefusal(answer) || changed.length > 0) wrong.push({ ...told, changed })
    const wider = (await visibleDevices(world)).filter((id) => !seen.has(id))
    if (wider.length > 0) wrong.push({ ...told, wider })
  }
  expect(wrong).toEqual([])
})

test('an administrator is not refused, so only the grants were missing', async () => {
  const wrong: unknown[] = []
  for (const { operation, attempt } of each('foreign').filter(({ attempt: { always } }) => always !== true)) {
    const answer = await send(operation, attempt)
    if (isRefusal(answer)) wrong.push({ operation, aim: attempt.aim, status: answer.status, text: answer.text })
  }
  expect(wrong).toEqual([])
})
