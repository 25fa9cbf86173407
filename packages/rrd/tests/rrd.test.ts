import { afterAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readRrd } from '../src/file.ts'
import { RrdError } from '../src/header.ts'
import { joinArchives } from '../src/join.ts'
import { createRrd, fetchRrd, RRDTOOL, updateRrd } from './rrdtool.ts'

const folder = mkdtempSync(join(tmpdir(), 'portlight-rrd-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const START = 1_700_000_000 - (1_700_000_000 % 86_400)
const DAYS = 20

/** A counter with a daily wave, polled every five minutes with some seconds of jitter, two pauses and a restart. */
function signal(path: string): void {
  createRrd({
    path,
    startS: START,
    dataSets: [
      'DS:INOCTETS:DERIVE:600:0:12500000000',
      'DS:OUTOCTETS:DERIVE:600:0:12500000000',
      'DS:level:GAUGE:600:U:U',
    ],
  })
  const updates: string[] = []
  let base = 1e15
  for (let i = 1; i <= DAYS * 288; i++) {
    if ((i > 1000 && i < 1061) || (i > DAYS * 288 - 900 && i < DAYS * 288 - 876)) continue
    const at = START + i * 300 + 137 + ((i * 7) % 11)
    const s = at - START
    if (i === 3000) base = -1e6 * s
    const count = Math.floor(
      base + 1e6 * (s + (0.5 / ((2 * Math.PI) / 86_400)) * (1 - Math.cos((2 * Math.PI * s) / 86_400))),
    )
    updates.push(`${at}:${Math.max(0, count)}:${i * 13}:${(Math.sin(i / 50) * 20).toFixed(6)}`)
  }
  updateRrd(path, updates)
}

describe.skipIf(RRDTOOL === null)('a file written by rrdtool', () => {
  const path = join(folder, 'signal.rrd')
  if (RRDTOOL !== null) signal(path)

  test('has the values that rrdtool fetch gives, in every archive', () => {
    let known = 0
    readRrd(path, (file) => {
      for (const archive of file.header.archives) {
        const values = file.read(archive)
        const fetched = fetchRrd(
          path,
          archive.cf,
          archive.widthS,
          archive.endS - archive.rows * archive.widthS,
          archive.endS - 1,
        )
        // fetch uses the first archive that fits; there is only one for each width
        expect(fetched.length).toBe(archive.rows)
        fetched.forEach((row, r) => {
          expect(row.atS).toBe(archive.endS - (archive.rows - 1 - r) * archive.widthS)
          row.values.forEach((value, d) => {
            const read = values[r * 3 + d] as number
            if (Number.isNaN(value)) expect(read).toBeNaN()
            else {
              known++
              if (Math.abs(read - value) > 1e-9 * Math.abs(value)) expect(read).toBe(value)
            }
          })
        })
      }
    })
    expect(known).toBeGreaterThan(10_000)
  })

  test('is joined without gaps or overlap, each hour from rows of one width', () => {
    const joined = readRrd(path, (file) => joinArchives(file))
    for (let r = 1; r < joined.rows; r++) {
      expect((joined.endS[r] as number) - (joined.widthS[r] as number)).toBe(joined.endS[r - 1] as number)
      if (joined.widthS[r] !== joined.widthS[r - 1]) expect((joined.endS[r - 1] as number) % 3600).toBe(0)
    }
    expect([...new Set(joined.widthS)]).toEqual([86_400, 7200, 1800, 300])
    expect(joined.uncertain).toBeGreaterThan(0)
    const r = joined.widthS.findIndex((w, i) => w === 1800 && !Number.isNaN(joined.average[i * 3] as number))
    expect(joined.lowest[r * 3] as number).toBeLessThan(joined.highest[r * 3] as number)
  })

  test('reads the same in the layouts of other machines', () => {
    const rows = (of: string) =>
      readRrd(of, (file) =>
        file.header.archives.map((archive) => Buffer.from(file.read(archive).buffer).toString('hex')),
      )
    const expected = rows(path)
    for (const [name, layout] of [
      ['i386', { little: true, word: 4, align: 4 }],
      ['ppc', { little: false, word: 4, align: 8 }],
      ['s390x', { little: false, word: 8, align: 8 }],
    ] as const) {
      const other = join(folder, `${name}.rrd`)
      writeFileSync(other, rewritten(readFileSync(path), layout))
      expect(rows(other)).toEqual(expected)
    }
  })

  test('if truncated or garbled, gives an RrdError and never any other error', () => {
    const whole = readFileSync(path)
    const bad = join(folder, 'bad.rrd')
    const random = generator(42)
    const attempt = (bytes: Uint8Array): void => {
      writeFileSync(bad, bytes)
      try {
        readRrd(bad, (file) => joinArchives(file))
      } catch (error) {
        expect(error).toBeInstanceOf(RrdError)
        expect((error as Error).message).not.toBe('')
      }
    }
    for (let i = 0; i < 60; i++) {
      writeFileSync(bad, whole.subarray(0, Math.floor(random() ** 3 * (whole.length - 1))))
      expect(() => readRrd(bad, (file) => joinArchives(file))).toThrow(RrdError)
    }
    for (let i = 0; i < 60; i++) {
      const bytes = Uint8Array.from(whole)
      for (let n = 0; n < 4; n++) bytes[Math.floor(random() * 8000)] = Math.floor(random() * 256)
      attempt(bytes)
    }
    // rows longer than a year: 2^40 steps in a row of the first archive
    const wide = Buffer.from(whole)
    wide.writeBigUInt64LE(2n ** 40n, 128 + 3 * 120 + 32)
    writeFileSync(bad, wide)
    expect(() => readRrd(bad, () => null)).toThrow('archive 0 has an impossible size')
    writeFileSync(bad, '')
    expect(() => readRrd(bad, () => null)).toThrow('is empty')
    writeFileSync(bad, 'these are not the rows that you look for')
    expect(() => readRrd(bad, () => null)).toThrow('is not an RRD file')
  })

  test('with another step, other archives and a double counter is read according to its header', () => {
    const other = join(folder, 'minute.rrd')
    createRrd({
      path: other,
      startS: START,
      stepS: 60,
      dataSets: ['DS:value:DCOUNTER:120:0:U'],
      archives: ['RRA:AVERAGE:0.5:1:100', 'RRA:MAX:0.5:5:50', 'RRA:AVERAGE:0.5:5:50', 'RRA:HWPREDICT:20:0.1:0.0035:10'],
    })
    updateRrd(
      other,
      Array.from({ length: 90 }, (_, i) => `${START + 60 * (i + 1)}:${i * 30}.5`),
    )
    const joined = readRrd(other, (file) => joinArchives(file))
    const last = joined.rows - 1
    expect([joined.endS[last], joined.widthS[last], joined.average[last]]).toEqual([START + 5400, 60, 0.5])
  })
})

/** A generator of numbers below 1 that repeats the same sequence for a seed. */
function generator(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/**
 * Rewrites a file from a 64-bit little-endian machine as another machine would have written it, from a separate
 * description of the format.
 */
function rewritten(from: Buffer, to: { little: boolean; word: 4 | 8; align: 4 | 8 }): Buffer {
  const out: Buffer[] = []
  let length = 0
  const put = (bytes: Buffer): void => {
    out.push(bytes)
    length += bytes.length
  }
  const pad = (align: number): void => put(Buffer.alloc((align - (length % align)) % align))
  const word = (value: bigint): void => {
    const bytes = Buffer.alloc(to.word)
    if (to.word === 8) to.little ? bytes.writeBigUInt64LE(value) : bytes.writeBigUInt64BE(value)
    else to.little ? bytes.writeUInt32LE(Number(value)) : bytes.writeUInt32BE(Number(value))
    put(bytes)
  }
  const eight = (at: number): void => {
    const bytes = Buffer.from(from.subarray(at, at + 8))
    put(to.little ? bytes : bytes.reverse())
  }
  const dataSets = Number(from.readBigUInt64LE(24))
  const archives = Number(from.readBigUInt64LE(32))
  put(from.subarray(0, 9))
  pad(to.align)
  eight(16)
  for (const at of [24, 32, 40]) word(from.readBigUInt64LE(at))
  pad(to.align)
  for (let i = 0; i < 10; i++) eight(48 + 8 * i)
  let at = 128
  for (let d = 0; d < dataSets; d++, at += 120) {
    put(from.subarray(at, at + 40))
    for (let i = 0; i < 10; i++) eight(at + 40 + 8 * i)
  }
  for (let a = 0; a < archives; a++, at += 120) {
    put(from.subarray(at, at + 20))
    put(Buffer.alloc(to.word === 8 ? 4 : 0))
    word(from.readBigUInt64LE(at + 24))
    word(from.readBigUInt64LE(at + 32))
    const used = (to.word === 8 ? 24 : 20) + 2 * to.word
    put(Buffer.alloc((to.align - (used % to.align)) % to.align))
    for (let i = 0; i < 10; i++) eight(at + 40 + 8 * i)
  }
  word(from.readBigUInt64LE(at))
  word(from.readBigUInt64LE(at + 8))
  at += 16
  for (let d = 0; d < dataSets; d++, at += 112) {
    put(from.subarray(at, at + 32))
    for (let i = 0; i < 10; i++) eight(at + 32 + 8 * i)
  }
  for (let i = 0; i < dataSets * archives * 10; i++, at += 8) eight(at)
  for (let a = 0; a < archives; a++, at += 8) word(from.readBigUInt64LE(at))
  for (; at < from.length; at += 8) eight(at)
  return Buffer.concat(out)
}
