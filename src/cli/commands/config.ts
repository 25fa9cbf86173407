import type { Command } from 'commander'
import { describeProblem } from '../../config/errors.ts'
import { findSetting, isSettingName, isStorable, settingHint } from '../../config/names.ts'
import { switchNamed } from '../../config/trees.ts'
import { SYSTEM } from '../../core/base/actor.ts'
import { actWith } from '../act.ts'
import type { LoadComposition } from '../app.ts'
import { CliError, usage } from '../errors.ts'
import { settingsOf } from '../globals.ts'
import { print, printJson, printTable, say } from '../output.ts'

/** `portlight config get|set|unset|list|check`. */
export function registerConfig(program: Command, load: LoadComposition): void {
  const config = program
    .command('config')
    .description('settings; the help of a running server describes them, /help/reference/config')
  const act = actWith(load)

  config
    .command('get')
    .description('print the effective value of a setting, secrets included')
    .argument('<setting>', 'name of the setting')
    .option('--json', 'print JSON')
    .action(async (given: string, options: { json?: boolean }, command: Command) => {
      const name = known(given)
      const { value, origin } = await act(command, ({ settings, services }) =>
        Promise.resolve(
          isSettingName(name)
            ? { value: settings.get(name), origin: settings.origin(name) }
            : services.settings.get(name),
        ),
      )
      if (options.json === true) printJson({ name, value, origin })
      else print(shownValue(value))
    })
  config
    .command('set')
    .description('store a setting in the database; running servers apply it immediately')
    .argument('<setting>', 'name of the setting')
    .argument('<value>', 'value; a list is comma-separated or a JSON array')
    .action(async (given: string, value: string, _options: unknown, command: Command) => {
      const name = storable(given)
      await act(command, async ({ services, settings }) => {
        await services.admin.setSetting(SYSTEM, name, value)
        settings.applyStored(await services.settings.stored())
        const { origin, scope } = services.settings.get(name)
        say(`${name} stored`)
        if (origin !== 'stored') say(`but here it is overridden by the ${origin}`)
        if (scope === 'start') say('it takes effect when the server is restarted')
      })
    })
  config
    .command('unset')
    .description('remove a stored setting')
    .argument('<setting>', 'name of the setting')
    .action(async (given: string, _options: unknown, command: Command) => {
      const name = known(given)
      const had = await act(command, ({ services }) => services.admin.unsetSetting(SYSTEM, name))
      say(had ? `${name} removed` : `${name} was not stored`)
    })
  config
    .command('list')
    .description('list every setting with its value and origin; secrets are masked')
    .option('--changed', 'only settings that differ from their default')
    .option('--json', 'print JSON')
    .action(async (options: { changed?: boolean; json?: boolean }, command: Command) => {
      const all = await act(command, ({ services }) => Promise.resolve(services.settings.list()))
      const list = options.changed === true ? all.filter((setting) => setting.origin !== 'default') : all
      if (options.json === true) return printJson(list)
      printTable(
        ['SETTING', 'VALUE', 'FROM'],
        list.map(({ name, value, origin }) => [name, shownValue(value), origin]),
      )
    })
  config
    .command('check')
    .description('check file, environment and flags without opening the database')
    .action((_options: unknown, command: Command) => {
      const { settings } = settingsOf(command)
      for (const problem of settings.warnings) say(`portlight: ${describeProblem(problem)}`)
      print('settings are valid')
    })
}

/** The name of a setting or of a single switch in a tree. */
function known(given: string): string {
  if (switchNamed(given) !== null) return given
  const name = findSetting(given)
  if (name !== null) return name
  throw usage(`there is no setting ${given}${settingHint(given)}`)
}

function storable(given: string): string {
  const name = known(given)
  if (!isSettingName(name) || isStorable(name)) return name
  throw new CliError(
    `${name} is needed before the database is open, so it cannot be stored: use a flag, the environment or the file`,
  )
}

function shownValue(value: unknown): string {
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value.join(', ')
  return typeof value === 'string' ? value : JSON.stringify(value)
}
