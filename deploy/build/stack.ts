import { gunzipSync } from 'node:zlib'
import { originalPositionFor, TraceMap } from '@jridgewell/trace-mapping'

/**
 * Translates a stack trace of the compiled program, whose files and lines are those of the bundle, to those of the
 * sources:
 *   bun deploy/build/stack.ts portlight-VERSION-PLATFORM.map.gz < trace
 */
async function main(): Promise<void> {
  const [path] = process.argv.slice(2)
  if (path === undefined) throw new Error('usage: bun deploy/build/stack.ts portlight-VERSION-PLATFORM.map.gz < trace')
  const maps: unknown = JSON.parse(gunzipSync(await Bun.file(path).bytes()).toString())
  process.stdout.write(translate(await Bun.stdin.text(), typeof maps === 'object' && maps !== null ? { ...maps } : {}))
}

/** A stack trace in which every position in the bundle that the maps cover is replaced by the one in the sources. */
export function translate(trace: string, maps: Readonly<Record<string, unknown>>): string {
  return trace.replaceAll(
    /\/\$bunfs\/root\/([\w./-]+):(\d+):(\d+)/g,
    (place, file: string, line: string, column: string) => {
      const map = maps[`${file}.map`]
      if (map === undefined) return place
      const at = originalPositionFor(new TraceMap(JSON.stringify(map)), {
        line: Number(line),
        column: Number(column) - 1,
      })
      return at.source === null ? place : `${at.source}:${at.line}:${at.column + 1}`
    },
  )
}

if (import.meta.main) await main()
