import { openSync } from 'node:fs'
import { heapBytes, residentBytes } from '../../src/observe/memory.ts'

// Prints both figures with descriptors to spare, and then without.

const read = () => ({ heap: heapBytes(), resident: residentBytes() })
const before = read()
let code = ''
while (code === '') {
  try {
    openSync('/dev/null', 'r')
  } catch (error) {
    code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
  }
}
const after = read()
process.stdout.write(JSON.stringify({ before, code, after }))
