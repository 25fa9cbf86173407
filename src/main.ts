import { limitHeapGrowth } from './cli/heap.ts'

// runs before the rest is loaded, because it starts the program again
if (process.argv.includes('serve')) limitHeapGrowth()
const { run } = await import('./cli/run.ts')

// exit explicitly, so that nothing keeps the process alive; connections and threads are closed by then
process.exit(await run(process.argv.slice(2), () => import('./app/server.ts')))
