import { afterAll, expect, setDefaultTimeout, test } from 'bun:test'
import { command, folderWithDatabase, portlight } from './support.ts'

setDefaultTimeout(120_000)

// On a terminal, commands that delete something ask for confirmation, the log is text, and what takes long is said.
const folder = await folderWithDatabase()
afterAll(() => folder.remove())
const { dataDir } = folder
const run = (...args: string[]) => portlight([...args, '--data-dir', dataDir])

/** Runs the program on a pseudo-terminal and types the answer when it asks. */
async function onTerminal(args: readonly string[], typed: string): Promise<{ code: number; text: string }> {
  let text = ''
  let answered = false
  const child = Bun.spawn([...command, ...args], {
    cwd: dataDir,
    env: { ...process.env, NO_COLOR: '1' },
    terminal: {
      cols: 200,
      rows: 50,
      data(terminal, octets) {
        text += new TextDecoder().decode(octets)
        if (!answered && text.includes('[y/N]')) {
          answered = true
          terminal.write(`${typed}\n`)
        }
      },
    },
  })
  const code = await child.exited
  child.terminal?.close()
  return { code, text }
}

test.each([
  { args: ['user', 'delete', 'alice'] },
  { args: ['role', 'delete', 'noc'] },
  { args: ['token', 'revoke', '1'] },
  { args: ['maintenance', 'delete', '1'] },
  { args: ['poller-group', 'delete', 'far'] },
])('$args without a terminal needs --yes', async ({ args }) => {
  const { code, out, err } = await run(...args)
  expect({ code, out }).toEqual({ code: 2, out: '' })
  expect(err).toContain('repeat the command with --yes')
})

test('device delete without a terminal needs --yes and otherwise deletes nothing', async () => {
  expect((await run('device', 'add', '127.0.0.9', '--force', '--community', 'x')).code).toBe(0)
  const refused = await run('device', 'delete', '127.0.0.9')
  expect(refused.code).toBe(2)
  expect(refused.err).toContain('to delete device 127.0.0.9 (id 1) with all its data, repeat')
  expect((await run('device', 'show', '127.0.0.9')).code).toBe(0)
})

test('device rename keeps the device, and refuses names that are taken or are none', async () => {
  expect((await run('device', 'rename', '127.0.0.9', '127.0.0.10')).err).toBe('127.0.0.9 is now 127.0.0.10\n')
  expect((await run('device', 'show', '127.0.0.10')).out).toMatch(/^device_id +1$/m)
  expect((await run('device', 'add', '127.0.0.11', '--force', '--community', 'x')).code).toBe(0)
  expect((await run('device', 'rename', '127.0.0.10', '127.0.0.11')).err).toContain('127.0.0.11 already exists')
  expect((await run('device', 'rename', '127.0.0.10', 'a/b')).err).toContain('a/b')
  expect((await run('device', 'rename', '127.0.0.10', '127.0.0.9')).code).toBe(0)
})

test('on a terminal it asks, and any answer but yes changes nothing', async () => {
  const no = await onTerminal(['device', 'delete', '127.0.0.9', '--data-dir', dataDir], '')
  expect(no.text).toContain('Delete device 127.0.0.9 (id 1) with all its data? [y/N]')
  expect(no.text).toContain('nothing was changed')
  expect(no.code).toBe(1)
  expect((await run('device', 'show', '127.0.0.9')).code).toBe(0)
  const yes = await onTerminal(['device', 'delete', '127.0.0.9', '--data-dir', dataDir], 'yes')
  expect(yes.text).toContain('deleted')
  expect(yes.code).toBe(0)
  expect((await run('device', 'show', '127.0.0.9')).code).toBe(1)
})

test('the log is text on a terminal and JSON otherwise, unless log.format says differently', async () => {
  const migrate = ['migrate', '--log-level', 'debug', '--data-dir', dataDir]
  const lines = (text: string) => text.split(/\r?\n/).filter((line) => line !== '')
  const TEXT = /^\d\d:\d\d:\d\d (INFO|DEBUG) /m
  const isJson = (line: string) => line.startsWith('{"level"')
  const piped = lines((await portlight(migrate)).err)
  expect(piped.some(isJson)).toBe(true)
  expect(piped.some((line) => TEXT.test(line))).toBe(false)
  const text = (await portlight([...migrate, '--set', 'log.format=text'])).err
  expect(text).toMatch(TEXT)
  expect(lines(text).some(isJson)).toBe(false)
  const shown = await onTerminal(migrate, '')
  expect(shown.text).toMatch(TEXT)
  expect((await onTerminal([...migrate, '--set', 'log.format=json'], '')).text).toContain('{"level"')
})

test('a silent address: a terminal shows which credentials are tried, of how many, and how long it may take; a log does not', async () => {
  const mute = await Bun.udpSocket({ hostname: '127.0.0.1' })
  const settings = ['--set', 'snmp.retries=3', '--set', 'snmp.timeout=1', '--set', 'icmp_check=false']
  const add = ['device', 'add', '127.0.0.1', '--snmp-port', String(mute.port), '--data-dir', dataDir, ...settings]
  const v2c = [...add, '--snmp-version', 'v2c', '--community', 'given']
  try {
    const { code, text } = await onTerminal(v2c, '')
    expect(code).toBe(1)
    expect(text).toContain('SNMP v2c with the given community (1 of 2), up to 4 s: no answer yet after 2 s')
    expect(text).toContain('SNMP v2c with community no. 1 of setting snmp.community (2 of 2), up to 4 s: no answer yet')
    // the line is cleared before the result takes its place
    expect(text).toContain('\r\u001b[K  SNMP v2c with the given community: no answer (timeout)')
    const piped = await portlight([...v2c, '--only', '--json'])
    expect(piped).toMatchObject({ code: 1, out: '' })
    expect(piped.err).toContain('SNMP v2c with the given community')
    expect(piped.err).not.toContain('no answer yet')
  } finally {
    mute.close()
  }
})
