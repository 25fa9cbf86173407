import { type Command, Option } from 'commander'
import { SYSTEM } from '../../core/base/actor.ts'
import type { Services } from '../../core/services.ts'
import { actWith } from '../act.ts'
import { amount } from '../amounts.ts'
import type { LoadComposition } from '../app.ts'
import { addYes, type ConfirmOptions, confirm } from '../confirm.ts'
import { CliError, usage } from '../errors.ts'
import { positive } from '../numbers.ts'
import { print, printJson, printTable, say } from '../output.ts'
import { repeated } from '../repeated.ts'

/** `portlight bill list|add|explain|delete`. */
export function registerBill(program: Command, load: LoadComposition): void {
  const bill = program.command('bill').description('bills for traffic')
  const act = actWith(load)
  bill
    .command('list')
    .description('list bills; explain shows the usage of one')
    .option('--json', 'print JSON')
    .action(async (options: { json?: boolean }, command: Command) => {
      const rows = await act(command, ({ services }) => services.bills.list(SYSTEM, {}))
      if (options.json === true) return printJson(rows)
      printTable(
        ['ID', 'NAME', 'TYPE', 'PORTS', 'ALLOWED', 'DAY', 'CUSTOMER'],
        rows.map((row) => [
          row.bill_id,
          row.bill_name,
          row.bill_type,
          row.ports_total,
          row.allowed,
          row.bill_day,
          row.bill_custid,
        ]),
      )
    })
  bill
    .command('add')
    .description('add a bill for the traffic of ports, by its 95th percentile or by volume')
    .argument('<name>', 'name')
    .requiredOption('--port <port>', 'port: its id, or DEVICE:IFNAME; may be repeated', repeated)
    .option('--cdr <bit/s>', 'committed rate of a bill by 95th percentile, such as 100M or 1.5G', amount)
    .option('--quota <bytes>', 'volume of a bill by volume, such as 1T', amount)
    .option('--day <day>', 'day of the month on which a period begins, 1 to 31', positive, 1)
    .addOption(
      new Option('--direction <which>', 'with --cdr: larger, the larger direction of the two; agg, their sum')
        .choices(['larger', 'agg', 'in', 'out'])
        .default('larger'),
    )
    .option('--customer <id>', 'customer', '')
    .option('--reference <text>', 'reference', '')
    .option('--notes <text>', 'notes', '')
    .action(async (name: string, options: AddOptions, command: Command) => {
      const { cdr, quota, day, direction } = options
      if ((cdr === undefined) === (quota === undefined))
        throw usage('give either --cdr, such as --cdr 100M, or --quota, such as --quota 1T')
      if (day > 31) throw usage('--day must be a number from 1 to 31')
      const id = await act(command, async ({ services }) => {
        const ports: number[] = []
        for (const ref of options.port) ports.push(await portOf(services, ref))
        const values = {
          bill_name: name,
          bill_day: day,
          bill_custid: options.customer,
          bill_ref: options.reference,
          bill_notes: options.notes,
          // the API takes in and out too, which both mean the larger one
          dir_95th: direction === 'larger' ? ('in' as const) : direction,
          ...(cdr === undefined
            ? ({ bill_type: 'quota', bill_quota: quota ?? 0 } as const)
            : ({ bill_type: 'cdr', bill_cdr: cdr } as const)),
        }
        return await services.bills.save(SYSTEM, { billId: null, ports, values })
      })
      say(`bill ${id} added: ${name}`)
    })
  bill
    .command('explain')
    .description(
      'explain the figures of a bill: what they are based on, what is unknown and how much that could change them',
    )
    .argument('<id>', 'id of the bill, from bill list', positive)
    .option('--previous', 'the previous period instead of the current one')
    .option('--json', 'print JSON')
    .action(async (id: number, options: { previous?: boolean; json?: boolean }, command: Command) => {
      const explanation = await act(command, ({ services }) =>
        services.bills.explain(SYSTEM, id, options.previous === true ? 1 : 0),
      )
      if (options.json === true) return printJson(explanation)
      const { billExplanationText } = await import('../bill-report.ts')
      print(billExplanationText(explanation))
    })
  addYes(bill.command('delete'))
    .description('delete a bill with everything that was counted for it')
    .argument('<id>', 'id of the bill, from bill list', positive)
    .action(async (id: number, options: ConfirmOptions, command: Command) => {
      await confirm(`delete bill ${id} with everything that was counted for it`, options)
      await act(command, ({ services }) => services.bills.delete(SYSTEM, String(id)))
      say(`bill ${id} deleted`)
    })
}

interface AddOptions {
  readonly port: readonly string[]
  readonly cdr?: number
  readonly quota?: number
  readonly day: number
  readonly direction: 'larger' | 'in' | 'out' | 'agg'
  readonly customer: string
  readonly reference: string
  readonly notes: string
}

/** Id of a port given by its id or as DEVICE:IFNAME, where an IPv6 address is in brackets. */
async function portOf({ ports }: Services, ref: string): Promise<number> {
  if (/^\d{1,9}$/.test(ref)) {
    const port = await ports.find(SYSTEM, Number(ref))
    if (port === null) throw new CliError(`there is no port ${ref}`)
    return port.port_id
  }
  const [, device, name] = /^(\[[^\]]+\]|[^:]+):(.+)$/.exec(ref) ?? []
  if (device === undefined || name === undefined)
    throw usage(`--port: expected the id of a port or DEVICE:IFNAME, not ${ref}`)
  return (await ports.requireByName(SYSTEM, device.replace(/^\[|\]$/g, ''), 'ifName', name)).port_id
}
