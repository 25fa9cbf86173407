import type { Command } from 'commander'
import type { StorageFacts } from '../../core/system/service.ts'
import { keepCosts, storedForms } from '../../core/system/storage.ts'
import {
  dayText,
  diskText,
  growthText,
  moreText,
  PACKING_ADVICE,
  packingText,
  sizeText,
  tableText,
} from '../../core/system/storage-text.ts'
import { actWith } from '../act.ts'
import type { LoadComposition } from '../app.ts'
import { keepDays } from '../numbers.ts'
import { type Cell, print, printJson, printTable } from '../output.ts'

interface Options {
  readonly keep?: number
  readonly json?: boolean
}

/** `portlight database`. */
export function registerDatabase(program: Command, load: LoadComposition): void {
  const act = actWith(load)
  program
    .command('database')
    .description(
      'show what the database holds: sizes, packing, growth, when its disk is full, what keeping samples costs',
    )
    .option('--keep <days>', 'also estimate what keeping samples for this many days takes', keepDays)
    .option('--json', 'print JSON: sizes in bytes, growth in bytes a day, null for what is not known')
    .action(async ({ keep, json }: Options, command: Command) => {
      const facts = await act(command, ({ services }) => services.system.storage())
      const { tables, ...rest } = facts
      const costs = keepCosts(tables, keep ?? null)
      if (json === true) return printJson({ ...rest, tables: storedForms(tables), keep: costs })
      printFacts(facts)
      printTables(facts)
      print('\nSamples kept for, estimated:')
      printTable(
        ['DAYS', 'AS ROWS', 'PACKED', 'MORE THAN NOW'],
        costs.map(({ days, rows, long, atMost, more }): Cell[] => [
          days,
          sizeText(rows),
          long === null ? null : `${atMost ? 'at most ' : ''}${sizeText(long)}`,
          moreText(more),
        ]),
      )
    })
}

function printFacts(facts: StorageFacts): void {
  const { octets, tables, packing, warning } = facts
  const series = tables.reduce((sum, table) => sum + table.octets, 0)
  const lines = [
    ['size', `${sizeText(octets)}, of which samples and roll-ups ${sizeText(series)}`],
    ['growth', growthText(facts)],
    ['disk', diskText(facts)],
    ['packing', packingText(packing)],
    ...packing.problems.map(({ rel, since, reason }) => [
      'failing',
      `${tableText(rel)} since ${since.toISOString()}: ${reason}; ${PACKING_ADVICE}`,
    ]),
    ...(warning === null ? [] : [['warning', warning.reason]]),
  ]
  for (const [what = '', text = ''] of lines) print(`${what.padEnd(9)}${text}`)
}

/** A line for each form in which a table is kept. */
function printTables({ tables }: StorageFacts): void {
  const forms = storedForms(tables)
  print(forms.length === 0 ? '\nNo samples are stored yet.' : '\nNumbers of rows are estimated:')
  if (forms.length === 0) return
  printTable(
    ['SERIES', 'LEVEL', 'KEPT DAYS', 'OLDEST', 'FORM', 'SIZE', 'ROWS', 'BYTES A ROW'],
    forms.map(({ kind, level, keepDays: kept, oldest, form, octets, rows, perRow }): Cell[] => [
      kind,
      level,
      Math.round(kept),
      oldest === null ? null : dayText(oldest),
      form,
      sizeText(octets),
      Math.round(rows),
      perRow === null ? null : perRow.toFixed(1),
    ]),
  )
}
