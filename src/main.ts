import { limitHeapGrowth } from './cli/heap.ts'

// Before the rest is loaded, because it starts the program again.
if (process.argv.includes('serve')) limitHeapGrowth()
const { run } = await import('./cli/run.ts')

// Nothing may keep the process alive once its command is done: connections and threads are closed by then.
process.exit(await run(process.argv.slice(2), () => import('./compose.ts')))
