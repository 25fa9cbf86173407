import type { Command } from 'commander'
import type { LoadComposition } from '../composition.ts'
import { print, printJson } from '../output.ts'

/** `portlight doctor`. */
export function registerDoctor(program: Command, load: LoadComposition): void {
  program
    .command('doctor')
    .description('check everything Portlight needs and report problems; exit code 1 if there are any')
    .option('--json', 'print JSON')
    .action(async (options: { json?: boolean }, command: Command) => {
      const { examine } = await import('../examine.ts')
      const findings = await examine(command, load)
      if (findings.some((finding) => finding.state === 'bad')) process.exitCode = 1
      if (options.json === true) return printJson(findings)
      const width = Math.max(...findings.map((finding) => finding.what.length))
      for (const { state, what, text } of findings) print(`${MARKS[state]}  ${what.padEnd(width)}  ${text}`)
    })
}

const MARKS = { ok: 'ok  ', note: 'note', bad: 'BAD ' } as const
