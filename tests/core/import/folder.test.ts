import { describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRrd, RRDTOOL, updateRrd } from '../../../packages/rrd/tests/rrdtool.ts'
import { Files } from '../../../src/core/import/history/files.ts'

describe.skipIf(RRDTOOL === null)('the folder of RRD files', () => {
  test('a file updated in the future is rejected with the reason, but one from a slightly fast clock is read', () => {
    const folder = mkdtempSync(join(tmpdir(), 'portlight-folder-'))
    try {
      const nowS = Math.floor(Date.now() / 1000)
      for (const [name, endS] of [
        ['later.rrd', nowS + 2 * 86_400],
        ['fast.rrd', nowS + 600],
      ] as const) {
        createRrd({ path: join(folder, name), startS: endS - 900, dataSets: ['DS:sensor:GAUGE:600:U:U'] })
        updateRrd(join(folder, name), [`${endS - 300}:20`, `${endS}:21`])
      }
      const files = new Files(folder, null)
      expect(files.read('fast.rrd', 0)?.lastUpdateS).toBe(nowS + 600)
      expect(files.read('later.rrd', 0)).toBeNull()
      expect(files.stateOf('later.rrd')).toBeNull()
      expect(files.refused.map(({ file, reason }) => [file, reason.slice(0, 30)])).toEqual([
        ['later.rrd', 'was last updated in the future'],
        ['later.rrd', 'was last updated in the future'],
      ])
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
})
