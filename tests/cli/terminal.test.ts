import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { jsonText } from '../../src/cli/output.ts'
import { Responder } from '../../src/demo/responder.ts'
import { folderWithDatabase, portlight } from './support.ts'

// An agent whose texts command the terminal: its title, colours, a screen without what stood there, text from right to
// left, and further lines that look like the program's own. None of it reaches the terminal, whichever command quotes the agent.

setDefaultTimeout(120_000)

const NAME = '\u001b]0;owned\u0007\u001b[2J\u009b31mevil\r\nportlight: all is well\u0085\u007f\u202eback\u2066'
const sockets: Bun.udp.Socket<'uint8array'>[] = []
const folder = await folderWithDatabase()
const run = (...args: string[]) => portlight([...args, '--data-dir', folder.dataDir])

function recordingOf(serial: string): string {
  const text = (value: string) => Buffer.from(value).toString('hex')
  return [
    `1.3.6.1.2.1.1.1.0|4x|${text(`A system of ${NAME}`)}`,
    '1.3.6.1.2.1.1.2.0|6|1.3.6.1.4.1.8072.3.2.10',
    '1.3.6.1.2.1.1.3.0|67:uptime|',
    `1.3.6.1.2.1.1.4.0|4x|${text(NAME)}`,
    `1.3.6.1.2.1.1.5.0|4x|${text(NAME)}`,
    `1.3.6.1.2.1.1.6.0|4x|${text(NAME)}`,
    '1.3.6.1.2.1.1.7.0|2|2',
    '',
    'table 1.3.6.1.2.1.47.1.1.1.1|2/4=Chassis|4/2=0|5/2=3|7/4=Chassis|11/4',
    `1|${serial}`,
    '',
  ].join('\n')
}

beforeAll(async () => {
  for (const address of ['127.92.0.1', '127.92.0.2']) {
    const model = { name: address, kind: 'switch', recording: recordingOf(`TERM-${address.slice(-1)}`) }
    const responder = new Responder({ model, seed: 'tests', community: 'public' })
    sockets.push(
      await Bun.udpSocket({
        hostname: address,
        port: sockets[0]?.port ?? 0,
        binaryType: 'uint8array',
        socket: {
          data(socket, datagram, port, from) {
            const answer = responder.respond(datagram, Date.now())
            if (answer !== null) socket.send(answer, port, from)
          },
          error() {},
        },
      }),
    )
  }
})
afterAll(async () => {
  for (const socket of sockets) socket.close()
  await folder.remove()
})

test('texts of agents neither command the terminal nor begin lines', async () => {
  const port = String(sockets[0]?.port)
  const added = await run('device', 'add', '127.92.0.1', '--snmp-port', port, '--community', 'public')
  expect(added).toMatchObject({ code: 0, err: expect.stringContaining('sysName') })
  const again = await run('device', 'add', '127.92.0.2', '--snmp-port', port, '--community', 'public')
  expect(again).toMatchObject({ code: 1, err: expect.stringMatching(/already have device .* evil|31mevil/) })
  const others = [
    await run('device', 'discover', '127.92.0.1'),
    await run('device', 'explain', '127.92.0.1'),
    await run('device', 'list'),
    await run('device', 'list', '--json'),
    await run('device', 'show', '127.92.0.1', '--json'),
    await run('export'),
    await run('doctor'),
  ]
  expect(others.map(({ out }) => out).join()).toContain('evil')
  for (const { out, err } of [added, again, ...others]) {
    expect(`${out}${err}`.match(/[[\p{Cc}\u202a-\u202e\u2066-\u2069]--[\n\t]]/gv) ?? []).toEqual([])
    expect(`${out}${err}`).not.toMatch(/^portlight: all is well/m)
  }
})

test('JSON keeps what the agent says', async () => {
  const { out } = await run('device', 'list', '--json')
  const [device] = JSON.parse(out) as { sysName: string }[]
  expect(device?.sysName).toContain('\u009b31mevil')
  const text = 'a\u0000\u001b\u007f\u0085\u009fé\u2028'
  expect(jsonText(JSON.stringify(text))).toBe('"a\\u0000\\u001b\\u007f\\u0085\\u009fé\u2028"')
  expect(JSON.parse(jsonText(JSON.stringify(text)))).toBe(text)
})
