import { COMPILED } from '../lib/compiled.ts'

/**
 * The collector chooses by the memory of the machine how far a heap may grow until the next collection: with 16 GiB or
 * more up to three times what was in use. With these options small heaps grow to 1.8 times. They limit nothing.
 */
export const HEAP_OPTIONS = {
  BUN_JSC_forceRAMSize: String(512 * 2 ** 20),
  BUN_JSC_smallHeapGrowthFactor: '1.8',
}

/**
 * Starts the program again in the same process, with heaps that are collected earlier: Bun reads the options only from
 * the environment, before any code runs. Does nothing if one is set, or if the system cannot do it.
 */
export function limitHeapGrowth(): void {
  if (process.platform !== 'linux' || process.execve === undefined) return
  if (Object.keys(HEAP_OPTIONS).some((name) => process.env[name] !== undefined)) return
  const program = COMPILED ? [] : [...process.execArgv, process.argv[1] ?? '']
  try {
    process.execve(process.execPath, [process.execPath, ...program, ...process.argv.slice(2)], {
      ...process.env,
      ...HEAP_OPTIONS,
    })
  } catch {
    // more memory is used, and nothing else differs
  }
}
