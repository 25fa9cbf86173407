import { type Command, Option } from 'commander'
import { RULE_PRESETS } from '../../core/alerts/rules/presets.ts'
import type { PreviewedDevice, RulePreview } from '../../core/alerts/rules/preview.ts'
import { SYSTEM } from '../../core/base/actor.ts'
import { DomainError } from '../../core/base/errors.ts'
import { oneLine } from '../../lib/one-line.ts'
import { type Act, actWith } from '../act.ts'
import type { LoadComposition } from '../app.ts'
import { addYes, type ConfirmOptions, confirm } from '../confirm.ts'
import { CliError, usage } from '../errors.ts'
import { refusalText } from '../message-style.ts'
import { positive } from '../numbers.ts'
import { print, printJson, printTable, say } from '../output.ts'

const STATES = ['ok', 'active', 'acknowledged', 'worse', 'better', 'changed']

/** `portlight rule list|show|presets|add|test|disable|enable|delete`. */
export function registerRule(program: Command, load: LoadComposition): void {
  const rule = program.command('rule').description('alert rules')
  const act = actWith(load)

  rule
    .command('list')
    .description('list alert rules')
    .option('--json', 'print JSON')
    .action(async (options: { json?: boolean }, command: Command) => {
      const rules = await act(command, ({ services }) => services.alertRules.list(SYSTEM))
      if (options.json === true) return printJson(rules)
      printTable(
        ['ID', 'NAME', 'SEVERITY', 'DISABLED', 'RULE'],
        rules.map((r) => [r.id, r.name, r.severity, r.disabled === 1, r.rule]),
      )
    })
  rule
    .command('show')
    .description('print an alert rule')
    .argument('<id>', 'id of the rule, from rule list', positive)
    .option('--json', 'print JSON')
    .action(async (id: number, options: { json?: boolean }, command: Command) => {
      const found = await act(command, ({ services }) => services.alertRules.find(SYSTEM, id))
      if (found === null) throw new CliError(`there is no alert rule ${id}`)
      if (options.json === true) return printJson(found)
      const { query: _, devices, groups, locations, operation, ...fields } = found
      const lists = {
        devices: devices.join(),
        groups: groups.join(),
        locations: locations.join(),
        operation: operation?.name ?? null,
      }
      printTable(['FIELD', 'VALUE'], Object.entries({ ...fields, ...lists }))
    })
  rule
    .command('presets')
    .description('list ready-made rules')
    .action(() => {
      printTable(
        ['PRESET', 'NAME', 'SEVERITY', 'ALERTS WHEN'],
        RULE_PRESETS.map(({ preset, name, severity, about }) => [preset, name, severity, about]),
      )
    })
  rule
    .command('add')
    .description('add the rules of a file, or a ready-made rule for all devices')
    .argument('[file]', 'JSON file with a rule as rule show --json prints it, or with a list of them; - for stdin')
    .addOption(
      new Option('--preset <name>', 'name of a ready-made rule, from rule presets').choices(
        RULE_PRESETS.map(({ preset }) => preset),
      ),
    )
    .action(async (file: string | undefined, { preset }: { preset?: string }, command: Command) => {
      if (preset !== undefined && file === undefined) {
        const added = await act(command, ({ services }) => services.alertRules.addPreset(SYSTEM, preset))
        return say(`rule ${added.id} added: ${added.name}`)
      }
      if (file === undefined || preset !== undefined) throw usage('give either a file or --preset')
      const [{ readJsonFile }, { rulesOf }] = await Promise.all([import('../json-file.ts'), import('../rule-file.ts')])
      const rules = rulesOf(file, await readJsonFile(file))
      await act(command, async ({ services }) => {
        for (const draft of rules) {
          const id = await services.alertRules.add(SYSTEM, draft).catch((error: unknown) => {
            throw error instanceof DomainError ? new CliError(`rule ${draft.name}: ${refusalText(error)}`) : error
          })
          say(`rule ${id} added: ${draft.name}`)
        }
      })
    })
  rule
    .command('test')
    .description(
      'show what alert rules match now and what would be sent; changes nothing; exit code 1 if a rule cannot be evaluated',
    )
    .argument('[id]', 'id of the rule', positive)
    .option('--all', 'test all rules')
    .option('--device <device>', 'only on this device: hostname, id or address')
    .option('--json', 'print JSON')
    .action(async (id: number | undefined, options: TestOptions, command: Command) => {
      if ((id === undefined) !== (options.all === true)) throw usage('give the id of a rule or --all')
      const previews = await act(command, ({ services }) =>
        services.alertPreview.rules(id ?? null, options.device ?? null),
      )
      if (previews.some(({ broken }) => broken !== null)) process.exitCode = 1
      if (options.json === true) return printJson(previews)
      for (const preview of previews) show(preview)
    })
  registerSwitches(rule, act)
  addYes(rule.command('delete'))
    .description('delete an alert rule with its alerts; to keep it without alerts, disable it')
    .argument('<id>', 'id of the rule, from rule list', positive)
    .action(async (id: number, options: ConfirmOptions, command: Command) => {
      await act(command, async ({ services: { alertRules } }) => {
        const found = await alertRules.find(SYSTEM, id)
        if (found === null) throw new CliError(`there is no alert rule ${id}`)
        await confirm(`delete alert rule ${id} (${oneLine(found.name)}) with its alerts`, options)
        if (!(await alertRules.delete(SYSTEM, id))) throw new CliError(`there is no alert rule ${id}`)
      })
      say(`rule ${id} deleted`)
    })
}

function registerSwitches(rule: Command, act: Act): void {
  for (const verb of ['disable', 'enable'] as const)
    rule
      .command(verb)
      .description(
        verb === 'disable'
          ? 'disable alert rules: they are no longer evaluated, and their alerts end without notifications'
          : 'enable alert rules again',
      )
      .argument('[rule...]', 'names or ids, from rule list')
      .option('--all', `${verb} all rules`)
      .action(async (refs: string[], options: { all?: boolean }, command: Command) => {
        if (refs.length > 0 === (options.all === true)) throw usage('give the names or ids of rules, or --all')
        const changed = await act(command, ({ services }) =>
          services.alertRules.setDisabled(SYSTEM, options.all === true ? null : refs, verb === 'disable'),
        )
        for (const { id, name } of changed) say(`rule ${id} ${verb}d: ${oneLine(name)}`)
        if (changed.length === 0) say(`nothing to change: ${options.all === true ? 'all rules' : 'they'} are ${verb}d`)
      })
}

interface TestOptions {
  readonly all?: boolean
  readonly device?: string
  readonly json?: boolean
}

function show({ id, name, rule, disabled, broken, devices, more, tookMs }: RulePreview): void {
  print(`${id} ${name}${disabled ? ' (disabled)' : ''}: ${rule}`)
  if (broken !== null) print(`  cannot be evaluated: ${broken}`)
  else if (devices.length === 0) print('  no device matches')
  for (const device of devices) {
    print(`  ${device.hostname}: ${outcome(device)}`)
    for (const why of device.why) print(`    ${oneLine(why)}`)
    const rest = device.faults - device.why.length
    if (rest > 0) print(`    and ${rest} more`)
  }
  if (more > 0) print(`  and ${more} more devices`)
  if (tookMs !== null) print(`  evaluated in ${Math.ceil(tookMs)} ms`)
}

function outcome({ faults, before, after, sends, held }: PreviewedDevice): string {
  const found = faults === 0 ? 'no fault' : faults === 1 ? '1 fault' : `${faults} faults`
  const states = before === after ? STATES[after] : `${STATES[before]} → ${STATES[after]}`
  const then = sends === null ? (held === null ? 'nothing to send' : `held: ${held}`) : `sends ${sends}`
  return `${found}; ${states}; ${then}`
}
