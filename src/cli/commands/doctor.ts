import type { Command } from 'commander'
import { oneLine } from '../../lib/one-line.ts'
import type { LoadComposition } from '../app.ts'
import { usage } from '../errors.ts'
import { print, printJson, say } from '../output.ts'

/** `portlight doctor`. */
export function registerDoctor(program: Command, load: LoadComposition): void {
  program
    .command('doctor')
    .description('check settings, machine, database and data, and report problems; exit code 1 if there are any')
    .option('--json', 'print JSON')
    .option('--bundle <file>', 'write a support bundle without secrets (.tar.gz) instead of a report')
    .option('--devices <number>', 'with --bundle: how many devices to explain, those with failures first', '10')
    .option('--log <file>', "with --bundle: the server's log (default: the systemd journal of unit portlight)")
    .action(async (options: Options, command: Command) => {
      if (options.bundle !== undefined) return await bundle(options.bundle, options, command, load)
      const { examine } = await import('../examine.ts')
      const findings = await examine(command, load)
      if (findings.some((finding) => finding.state === 'bad')) process.exitCode = 1
      if (options.json === true) return printJson(findings)
      const width = Math.max(...findings.map((finding) => finding.what.length))
      for (const { state, what, text } of findings) print(`${MARKS[state]}  ${what.padEnd(width)}  ${oneLine(text)}`)
    })
}

interface Options {
  readonly json?: boolean
  readonly bundle?: string
  readonly devices: string
  readonly log?: string
}

async function bundle(path: string, { devices, log }: Options, command: Command, load: LoadComposition): Promise<void> {
  if (!/^\d{1,3}$/.test(devices)) throw usage('--devices must be a number from 0 to 999')
  const { collectBundle, writeBundle } = await import('../bundle/bundle.ts')
  const files = await collectBundle(command, load, { devices: Number(devices), log })
  await writeBundle(path, files)
  say(`${path}: ${Object.keys(files).length} files, without secrets; it contains names and addresses of devices`)
}

const MARKS = { ok: 'ok  ', note: 'note', bad: 'BAD ' } as const
