import { EXECUTABLE } from '../lib/compiled.ts'

/**
 * The garbage collector lets a heap grow by a factor that depends on the machine's memory: with 16 GiB or more, to up to
 * three times what was in use after the last collection. With these options heaps grow to 1.8 times below 128 MiB, to
 * twice below 256 MiB, and to 1.24 times above that. They set no limit.
 */
export const HEAP_OPTIONS = {
  BUN_JSC_forceRAMSize: String(512 * 2 ** 20),
  BUN_JSC_smallHeapGrowthFactor: '1.8',
  BUN_JSC_mediumHeapGrowthFactor: '2',
}

/**
 * Re-executes the program in the same process with HEAP_OPTIONS, because Bun reads them only from the environment,
 * before any code runs. Does nothing if one of them is set, or if the system has no execve.
 */
export function limitHeapGrowth(): void {
  if (process.platform !== 'linux' || process.execve === undefined) return
  if (Object.keys(HEAP_OPTIONS).some((name) => process.env[name] !== undefined)) return
  const program = EXECUTABLE ? [] : [...process.execArgv, process.argv[1] ?? '']
  try {
    process.execve(process.execPath, [process.execPath, ...program, ...process.argv.slice(2)], {
      ...process.env,
      ...HEAP_OPTIONS,
    })
  } catch {
    // only memory use is higher
  }
}
