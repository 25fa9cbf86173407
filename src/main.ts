import { run } from './cli/run.ts'

// Nothing may keep the process alive once its command is done: connections and threads are closed by then.
process.exit(await run(process.argv.slice(2), () => import('./compose.ts')))
