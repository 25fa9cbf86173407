import type { Command } from 'commander'
import type { LoadComposition } from '../composition.ts'
import { positive } from '../numbers.ts'
import { print, printJson } from '../output.ts'

/** `portlight bill explain ID`. */
export function registerBill(program: Command, load: LoadComposition): void {
  const bill = program.command('bill').description('bills for traffic')
  bill
    .command('explain')
    .description(
      'explain the figures of a bill: what they are based on, what is unknown and how much that could change them',
    )
    .argument('<id>', 'id of the bill', positive)
    .option('--previous', 'the previous period instead of the current one')
    .option('--json', 'print JSON')
    .action(async (id: number, options: { previous?: boolean; json?: boolean }, command: Command) => {
      const [{ withServices }, { SYSTEM }] = await Promise.all([import('../open.ts'), import('../../domain/actor.ts')])
      const explanation = await withServices(command, load, ({ services }) =>
        services.bills.explain(SYSTEM, id, options.previous === true ? 1 : 0),
      )
      if (options.json === true) return printJson(explanation)
      const { billExplanationText } = await import('../bill-report.ts')
      print(billExplanationText(explanation))
    })
}
