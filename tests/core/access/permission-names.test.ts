import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Glob } from 'bun'
import { createSettings } from '../../../src/config/settings.ts'
import { SYSTEM } from '../../../src/core/base/actor.ts'
import { isAllowed, type Permission } from '../../../src/core/base/permissions.ts'
import { type TestApi, testApi } from '../../support/api.ts'
import { everyPermission } from './world.ts'

setDefaultTimeout(60_000)

const ROOT = join(import.meta.dir, '..', '..', '..')
const V0 = join(ROOT, '..', 'shared', 'contract', 'v0.json')

let api: TestApi
beforeAll(async () => {
  api = await testApi()
})
afterAll(() => api.drop())

/** Permissions in the documentation, as spelled there. */
function documentedPermissions(): string[] {
  const guide = readFileSync(join(ROOT, 'docs/how-to/give-access.md'), 'utf8')
  const [, subjects = '', verbs = ''] =
    /A permission is a subject \(([^)]*)\)\s+and\s+a\s+verb\s+\(([^)]*)\)/.exec(guide) ?? []
  const words = (text: string) => [...text.matchAll(/`([A-Za-z-]+)`/g)].map(([, word]) => word ?? '')
  const pairs = words(subjects).flatMap((subject) => words(verbs).map((verb) => `${subject}.${verb}`))
  const commands = [...guide.matchAll(/role set \S+ (.+)/g)].flatMap(([, list]) => (list ?? '').trim().split(/\s+/))
  const reference = readFileSync(join(ROOT, 'docs/reference/api.md'), 'utf8')
  const gates = [...reference.matchAll(/\| (\w+\.\w+) \|/g)].map(([, gate]) => gate ?? '')
  const elsewhere = [...new Glob('docs/**/*.md').scanSync(ROOT)].flatMap((page) => [
    ...readFileSync(join(ROOT, page), 'utf8').matchAll(
      /`([a-z-]+\.(?:viewAny|view|create|update|delete|list|search))`/g,
    ),
  ])
  expect([pairs.length > 40, commands.length > 1, gates.length > 100]).toEqual([true, true, true])
  return [...new Set([...pairs, ...commands, ...gates, ...elsewhere.map(([, name]) => name ?? '')])]
}

test('every documented permission can be given to a role', async () => {
  const refused: string[] = []
  for (const permission of documentedPermissions()) {
    await api.services.users.defineRole('one', [permission]).catch(() => refused.push(permission))
  }
  expect(refused).toEqual([])
})

test.skipIf(!existsSync(V0))('every permission of the contract can be given to a role', async () => {
  const operations = JSON.parse(readFileSync(V0, 'utf8')) as { permission: { gate: string; who: string } | null }[]
  const named = operations.flatMap(({ permission }) =>
    permission === null ? [] : [permission.gate, ...(/explicit ([\w.-]+\w)/.exec(permission.who)?.slice(1) ?? [])],
  )
  const permissions = [...new Set(named)].filter((name) => name.includes('.'))
  expect(permissions.length).toBeGreaterThan(60)
  await api.services.users.defineRole('all', permissions)
})

test('every spelling of a permission allows its operations and no others', () => {
  const settings = createSettings({ flags: {} })
  const gates = everyPermission(api) as Permission[]
  const opens = (permission: string) => {
    const permissions = new Set([permission.toLowerCase()])
    return gates.filter((gate) => isAllowed({ ...SYSTEM, roles: new Set(), permissions }, gate, settings))
  }
  for (const gate of gates) {
    const [subject = '', verb = ''] = gate.split('.')
    const spelled = `${subject.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase()}.${verb}`
    expect({ gate, opened: [opens(gate), opens(spelled)] }).toEqual({ gate, opened: [[gate], [gate]] })
  }
  expect(opens('routing.update')).toEqual(['BgpPeer.update'])
})

test('an unknown permission is refused', async () => {
  for (const permission of ['device', 'device.nonsense', 'nonsense.update', '.update', 'device.update.x']) {
    await expect(api.services.users.defineRole('no', [permission])).rejects.toMatchObject({ code: 'invalid' })
  }
})
