import { expect, setDefaultTimeout, test } from 'bun:test'
import { portlight } from './support.ts'

setDefaultTimeout(60_000)

test.each([
  { words: ['device', 'add'], about: 'Usage: portlight device add ' },
  { words: ['transport', 'add'], about: 'Usage: portlight transport add ' },
  { words: ['candidate', 'rule', 'add'], about: 'Usage: portlight candidate rule add ' },
  { words: ['backup', 'verify'], about: 'Usage: portlight backup verify ' },
  { words: ['serve'], about: 'Usage: portlight serve ' },
])('help $words is the help of that command', async ({ words, about }) => {
  const [asked, given] = await Promise.all([portlight(['help', ...words]), portlight([...words, '--help'])])
  expect(asked.out).toStartWith(about)
  expect(asked).toEqual(given)
  expect(asked.code).toBe(0)
})

test.each([
  { args: ['device', 'add', 'x', '--port', '162'], says: ['Did you mean --snmp-port?', 'portlight device add --help'] },
  { args: ['alert', 'list'], says: ['Did you mean fault?', 'portlight --help'] },
  { args: ['device', 'remove', 'x'], says: ['Did you mean device delete?', 'portlight device --help'] },
  { args: ['transport', 'delete', 'x'], says: ['Did you mean transport remove?', 'portlight transport --help'] },
  { args: ['help', 'device', 'sow'], says: ["unknown command 'sow'", 'Did you mean show?', 'portlight device --help'] },
  { args: ['devce'], says: ['Did you mean device?', 'For usage: '] },
])('$args says what is meant and how to see the usage', async ({ args, says }) => {
  const { code, out, err } = await portlight(args)
  for (const text of says) expect(err).toContain(text)
  expect(err).toMatch(/^portlight: unknown (command|option) /)
  expect(out).toBe('')
  expect(code).toBe(2)
})
