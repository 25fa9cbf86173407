import { afterAll, expect, test } from 'bun:test'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findPingProgram } from '../src/program.ts'

const folder = mkdtempSync(join(tmpdir(), 'ping-programs-'))
afterAll(() => rmSync(folder, { recursive: true }))

const install = (name: string, text: string): void => {
  writeFileSync(join(folder, name), text)
  chmodSync(join(folder, name), 0o755)
}

test('a program that cannot be started is not used', async () => {
  install('fping', '#!/does/not/exist\n')
  expect(await findPingProgram([], folder)).toBeNull()
  install('ping', '#!/bin/sh\necho "64 bytes from 192.0.2.1: icmp_seq=1 ttl=64 time=1.25 ms"\n')
  const program = await findPingProgram([], folder)
  expect(program?.method).toBe('ping')
  expect(await program?.ping('192.0.2.1', 4, 1, 1000)).toEqual([1.25])
})

test.each(['fping', 'ping'] as const)(
  '%s that can no longer be started could not send, for each address',
  async (name) => {
    install('fping', '#!/bin/sh\n')
    install('ping', '#!/bin/sh\n')
    const program = await findPingProgram(name === 'ping' ? ['fping'] : [], folder)
    expect(program?.method).toBe(name)
    install(name, '#!/does/not/exist\n')
    const addresses = Array.from({ length: 401 }, (_, i) => `192.0.2.${i % 250}`)
    const results = await Promise.all(addresses.map((address) => program?.ping(address, 4, 1, 20)))
    expect(results.every((times) => times === null)).toBe(true)
  },
)
