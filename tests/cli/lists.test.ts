import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { folderWithDatabase, type Outcome, portlight } from './support.ts'

setDefaultTimeout(120_000)

let folder: Awaited<ReturnType<typeof folderWithDatabase>>
beforeAll(async () => {
  folder = await folderWithDatabase()
})
afterAll(() => folder.remove())

const run = (...args: string[]): Promise<Outcome> => portlight([...args, '--data-dir', folder.dataDir])
/** Writes a file with the content as JSON; returns its path. */
function file(name: string, content: unknown): string {
  const path = join(folder.dataDir, name)
  writeFileSync(path, JSON.stringify(content))
  return path
}

const onOs = (os: string) => ({ condition: 'AND', rules: [{ field: 'devices.os', operator: 'equal', value: os }] })

test('device groups are added once, listed and deleted', async () => {
  const rules = file('group.json', onOs('ios'))
  const added = await run('group', 'add', 'Core', '--rules', rules, '--json')
  expect(JSON.parse(added.out)).toEqual({ id: 1, name: 'Core' })
  const again = await run('group', 'add', 'core', '--rules', rules)
  expect(again).toMatchObject({ code: 1, err: 'portlight: device group Core already exists (id 1)\n' })
  const [one] = JSON.parse((await run('group', 'list', '--json')).out)
  expect(one).toMatchObject({ id: 1, name: 'Core', type: 'dynamic', devices: [] })
  expect((await run('group', 'list')).out).toMatch(/1 +Core +dynamic +0 +.*ios/)
  expect(await run('group', 'delete', 'Edge', '--yes')).toMatchObject({
    code: 1,
    err: 'portlight: there is no device group Edge: portlight group list shows those that there are\n',
  })
  expect((await run('group', 'delete', 'core')).err).toContain('--yes')
  expect(await run('group', 'delete', 'core', '--yes')).toMatchObject({ code: 0, err: 'group 1 deleted: Core\n' })
  expect(JSON.parse((await run('group', 'list', '--json')).out)).toEqual([])
})

test('a group whose rules cannot be used is refused with what is wrong in them', async () => {
  const rules = { condition: 'AND', rules: [{ field: 'devices.oss', operator: 'equal', value: 'ios' }] }
  expect((await run('group', 'add', 'Bad', '--rules', file('bad.json', rules))).err).toContain(
    'nknown field devices.oss; did you mean devices.os?',
  )
})

test('locations are added once, listed and deleted', async () => {
  const added = await run('location', 'add', 'Oslo', '--lat', '59.9', '--lng', '10.7', '--json')
  expect(JSON.parse(added.out)).toEqual({ id: 1, location: 'Oslo' })
  expect(await run('location', 'add', 'oslo')).toMatchObject({ code: 1 })
  expect((await run('location', 'list')).out).toMatch(/1 +Oslo +59\.9\d* +10\.7\d*/)
  expect(await run('location', 'delete', 'Bergen', '--yes')).toMatchObject({ code: 1 })
  expect(await run('location', 'delete', 'OSLO', '--yes')).toMatchObject({ code: 0, err: 'location 1 deleted: Oslo\n' })
  expect(JSON.parse((await run('location', 'list', '--json')).out)).toEqual([])
})

test('rules are disabled and enabled by name, by id and all at once', async () => {
  const rules = ['One', 'Two', 'Three'].map((name) => ({ name, severity: 'warning', builder: onOs(name) }))
  expect(await run('rule', 'add', file('rules.json', rules))).toMatchObject({ code: 0 })
  const disabled = async () =>
    (JSON.parse((await run('rule', 'list', '--json')).out) as { name: string; disabled: number }[])
      .filter((one) => one.disabled === 1)
      .map(({ name }) => name)
  expect(await run('rule', 'disable', 'one', '2')).toMatchObject({
    code: 0,
    err: 'rule 1 disabled: One\nrule 2 disabled: Two\n',
  })
  expect(await disabled()).toEqual(['One', 'Two'])
  expect((await run('rule', 'disable', '2')).err).toBe('nothing to change: they are disabled\n')
  // one that does not exist: none is changed
  const wrong = await run('rule', 'disable', '3', 'Thre')
  expect(wrong).toMatchObject({ code: 1, err: 'portlight: there is no alert rule Thre; did you mean Three?\n' })
  expect(await disabled()).toEqual(['One', 'Two'])
  expect((await run('rule', 'disable', '--all')).err).toBe('rule 3 disabled: Three\n')
  expect(await disabled()).toEqual(['One', 'Two', 'Three'])
  expect(await run('rule', 'enable', '--all')).toMatchObject({ code: 0 })
  expect(await disabled()).toEqual([])
  expect(await run('rule', 'disable')).toMatchObject({ code: 2 })
  expect(await run('rule', 'enable', '--all', '1')).toMatchObject({ code: 2 })
  expect(await run('rule', 'delete', '99')).toMatchObject({
    code: 1,
    err: 'portlight: there is no alert rule 99: portlight rule list shows those that there are\n',
  })
  expect((await run('rule', 'delete', '1')).err).toContain('(One)')
})

test.each([
  ['macros.port_usge_perc', 'equal', 'nknown macro port_usge_perc; did you mean port_usage_perc?'],
  ['device.os', 'equal', 'ules cannot query table device; did you mean devices?'],
  ['ports.ifOperStats', 'equal', 'nknown field ports.ifOperStats; did you mean ports.ifOperStatus?'],
  ['ports.ifInOctets_rat', 'equal', 'did you mean ports.ifInOctets_rate?'],
  ['devices.os', 'equals', 'nknown operator equals; did you mean equal?'],
  ['devices.os', '==', 'nknown operator ==; the operators are equal, not_equal,'],
])('rule add of %s %s says what is wrong', async (field, operator, says) => {
  const builder = { condition: 'AND', rules: [{ field, operator, value: '1' }] }
  const { code, err } = await run('rule', 'add', file('wrong.json', { name: 'Wrong', severity: 'warning', builder }))
  expect(err).toStartWith('portlight: rule Wrong: ')
  expect(err).toContain(says)
  expect(code).toBe(1)
})
