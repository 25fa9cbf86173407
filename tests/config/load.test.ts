import { afterAll, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { resolveDataDir } from '../../src/config/data-dir.ts'
import { loadSettings } from '../../src/config/load.ts'

const folder = mkdtempSync(join(tmpdir(), 'portlight-config-'))
afterAll(() => rmSync(folder, { recursive: true }))

function put(name: string, text: string): string {
  const path = join(folder, name)
  mkdirSync(join(path, '..'), { recursive: true })
  writeFileSync(path, text)
  return path
}

test('TOML: tables and dotted names', () => {
  const path = put('a.toml', 'port = 9000\nsnmp.community = ["a", "b"]\n[poller]\ninterval = 60\n')
  const settings = loadSettings({ config: path, env: {}, folders: [] })
  expect(settings.get('port')).toBe(9000)
  expect(settings.get('poller.interval')).toBe(60)
  expect(settings.get('snmp.community')).toEqual(['a', 'b'])
  expect(settings.origin('port')).toBe('file')
})

test('JSON: nested and dotted names, credential sets as objects', () => {
  const path = put('a.json', '{"poller":{"interval":60},"snmp.v3":[{"authname":"x"}]}')
  const settings = loadSettings({ config: path, env: {}, folders: [] })
  expect(settings.get('poller.interval')).toBe(60)
  expect(settings.get('snmp.v3')).toEqual([{ authname: 'x' }])
})

test('the file named by --config wins over PORTLIGHT_CONFIG, which wins over the one found', () => {
  const flag = put('flag.toml', 'port = 1')
  const variable = put('variable.toml', 'port = 2')
  put('found/portlight.toml', 'port = 3')
  const folders = [join(folder, 'nothing-here'), join(folder, 'found')]
  expect(loadSettings({ config: flag, env: { PORTLIGHT_CONFIG: variable }, folders }).get('port')).toBe(1)
  expect(loadSettings({ env: { PORTLIGHT_CONFIG: variable }, folders }).get('port')).toBe(2)
  expect(loadSettings({ env: {}, folders }).get('port')).toBe(3)
})

test('a named file that is missing or broken is an error that names it', () => {
  const missing = join(folder, 'missing.toml')
  expect(() => loadSettings({ config: missing, env: {}, folders: [] })).toThrow(missing)
  const broken = put('broken.toml', 'port = = 1')
  expect(() => loadSettings({ config: broken, env: {}, folders: [] })).toThrow(broken)
})

test.each([
  { name: 'a checkout has it next to the program', projectDir: '/opt/p', env: {}, uid: 0, want: '/opt/p/data' },
  { name: 'root, binary', projectDir: null, env: { HOME: '/root' }, uid: 0, want: '/var/lib/portlight' },
  { name: 'user, binary', projectDir: null, env: { HOME: '/h' }, uid: 7, want: '/h/.local/share/portlight' },
  { name: 'XDG', projectDir: null, env: { HOME: '/h', XDG_DATA_HOME: '/x' }, uid: 7, want: '/x/portlight' },
  {
    name: 'XDG, relative: ignored',
    projectDir: null,
    env: { HOME: '/h', XDG_DATA_HOME: 'x' },
    uid: 7,
    want: '/h/.local/share/portlight',
  },
])('data folder: $name', ({ projectDir, env, uid, want }) => {
  expect(resolveDataDir({ dataDir: '', projectDir, env, uid })).toBe(want)
})

test('data folder: a relative path starts at the current folder', () => {
  expect(resolveDataDir({ dataDir: 'd', projectDir: '/opt/p', env: {}, uid: 0 })).toBe(join(process.cwd(), 'd'))
})

test('a variable may name a file with its value', () => {
  const load = (env: Record<string, string>) => loadSettings({ env, folders: [] })
  const url = put('secret/url', 'postgres://a:b@db/one\n')
  expect(load({ DATABASE_URL_FILE: url }).get('database_url')).toBe('postgres://a:b@db/one')
  expect(load({ PORTLIGHT_DATABASE_URL_FILE: url, DATABASE_URL: 'postgres://other' }).get('database_url')).toBe(
    'postgres://a:b@db/one',
  )
  const password = put('secret/password', ' a space, a newline\n and no more\r\n')
  const settings = load({ PORTLIGHT_EMAIL_SMTP_PASSWORD_FILE: password })
  expect(settings.get('email_smtp_password')).toBe(' a space, a newline\n and no more')
  expect(settings.warnings).toEqual([])
  // a setting of its own, and an empty variable
  const key = load({ PORTLIGHT_SECRETS_KEY_FILE: '/not/there', PORTLIGHT_PORT_FILE: '' })
  expect([key.get('secrets.key_file'), key.origin('port')]).toEqual(['/not/there', 'default'])
})

test.each([
  [{ PORTLIGHT_PORT_FILE: '/not/there' }, /PORTLIGHT_PORT_FILE: \/not\/there cannot be read: .*ENOENT/],
  [{ PORTLIGHT_PORT_FILE: '/proc' }, /PORTLIGHT_PORT_FILE: \/proc cannot be read: /],
  [{ PORTLIGHT_PORT_FILE: '/dev/zero' }, /PORTLIGHT_PORT_FILE: \/dev\/zero cannot be read: it is not a file/],
  [{ PORTLIGHT_PORT_FILE: '/not/there', PORTLIGHT_PORT: '81' }, /PORTLIGHT_PORT is set too: remove one of them/],
  [{ PORTLIGHT_PORT_FILE: put('secret/port', 'eighty\n') }, /port/],
  [{ PORTLIGHT_PORT_FILE: put('secret/large', 'x'.repeat(70_000)) }, /it has 70000 bytes/],
])('%p is refused', (env, text) => {
  expect(() => loadSettings({ env, folders: [] })).toThrow(text)
})
