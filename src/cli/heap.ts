import { COMPILED } from '../lib/compiled.ts'

const OPTION = 'BUN_JSC_forceRAMSize'

/**
 * The collector chooses how far a heap may grow until the next collection by the memory of the machine: with 16 GiB or
 * more up to three times what was in use, with this much twice. It limits nothing. With less, collections cost too much.
 */
const MEMORY_OCTETS = 512 * 2 ** 20

/**
 * Starts the program again in the same process, with heaps that are collected earlier: Bun reads the option only from
 * the environment, before any code runs. Does nothing if it is set, or if the system cannot do it.
 */
export function limitHeapGrowth(): void {
  if (process.env[OPTION] !== undefined || process.platform !== 'linux' || process.execve === undefined) return
  const program = COMPILED ? [] : [...process.execArgv, process.argv[1] ?? '']
  try {
    const env = { ...process.env, [OPTION]: String(MEMORY_OCTETS), BUN_JSC_smallHeapGrowthFactor: '1.5' }
    process.execve(process.execPath, [process.execPath, ...program, ...process.argv.slice(2)], env)
  } catch {
    // more memory is used, and nothing else differs
  }
}
