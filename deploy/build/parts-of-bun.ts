import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Part, part } from './parts.ts'

/** What Bun is linked with on Linux, with the licences that its repository names (LICENSE.md). It names no versions. */
const LINKED: readonly (readonly [name: string, licence: string])[] = [
  ['JavaScriptCore and WebKit', 'LGPL-2.0-only'],
  ['boringssl', 'Apache-2.0 AND OpenSSL AND ISC AND MIT'],
  ['brotli', 'MIT'],
  ['libarchive', 'BSD-2-Clause'],
  ['lol-html', 'BSD-3-Clause'],
  ['ls-hpack', 'MIT'],
  ['ls-qpack', 'MIT'],
  ['lsquic', 'MIT AND BSD-3-Clause'],
  ['mimalloc', 'MIT'],
  ['picohttpparser', 'MIT'],
  ['zstd', 'BSD-3-Clause'],
  ['simdutf', 'Apache-2.0'],
  ['tinycc', 'LGPL-2.1-only'],
  ['uSockets', 'Apache-2.0'],
  ['uWebSockets', 'Apache-2.0'],
  ['zlib-ng', 'Zlib'],
  ['c-ares', 'MIT'],
  ['icu', 'ICU'],
  ['libbase64', 'BSD-2-Clause'],
  ['libdeflate', 'MIT'],
  ['libjpeg-turbo', 'BSD-3-Clause AND IJG AND Zlib'],
  ['libspng', 'BSD-2-Clause'],
  ['libwebp', 'BSD-3-Clause'],
  ['highway', 'Apache-2.0'],
  ['uucode', 'MIT'],
  ['libc++abi', 'Apache-2.0 WITH LLVM-exception'],
]

/** The Bun that runs the program. */
export function bunPart(runtime: string, integrity: string | null): Part {
  return part('bun', Bun.version, 'MIT', {
    texts: [readFileSync(join(import.meta.dir, '../licences/bun.txt'), 'utf8')],
    purl: `pkg:npm/${encodeURIComponent(runtime).replace('%2F', '/')}@${Bun.version}`,
    integrity,
    kind: 'application',
    parts: LINKED.map(([name, licence]) => part(name, null, licence)),
  })
}
