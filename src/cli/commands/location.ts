import { type Command, InvalidArgumentError } from 'commander'
import { SYSTEM } from '../../core/base/actor.ts'
import { oneLine } from '../../lib/one-line.ts'
import { actWith } from '../act.ts'
import type { LoadComposition } from '../app.ts'
import { addYes, type ConfirmOptions, confirm } from '../confirm.ts'
import { CliError, usage } from '../errors.ts'
import { printJson, printTable, say } from '../output.ts'

/** `portlight location list|add|delete`. */
export function registerLocation(program: Command, load: LoadComposition): void {
  const act = actWith(load)
  const location = program.command('location').description('locations of devices')
  location
    .command('list')
    .description('list locations')
    .option('--json', 'print JSON')
    .action(async (options: { json?: boolean }, command: Command) => {
      const list = await act(command, ({ services }) => services.locations.list(SYSTEM))
      if (options.json === true) return printJson(list)
      printTable(
        ['ID', 'NAME', 'LATITUDE', 'LONGITUDE'],
        list.map((one) => [one.id, one.location, one.lat, one.lng]),
      )
    })
  location
    .command('add')
    .description('add a location')
    .argument('<name>', 'name, as devices report it in sysLocation')
    .option('--lat <degrees>', 'latitude, -90 to 90; with --lng', degrees(90))
    .option('--lng <degrees>', 'longitude, -180 to 180; with --lat', degrees(180))
    .option('--json', 'print JSON')
    .action(async (name: string, { lat, lng, json }: AddOptions, command: Command) => {
      if ((lat === undefined) !== (lng === undefined)) throw usage('give both --lat and --lng, or neither')
      const id = await act(command, ({ services }) =>
        services.locations.add({
          location: name,
          ...(lat !== undefined && lng !== undefined && { lat, lng }),
        }),
      )
      if (json === true) return printJson({ id, location: name })
      say(`location ${id} added: ${name}`)
    })
  addYes(location.command('delete'))
    .description('delete a location; its devices are left without one until they report it again')
    .argument('<location>', 'name or id')
    .action(async (ref: string, options: ConfirmOptions, command: Command) => {
      const gone = await act(command, async ({ services: { locations } }) => {
        const found = await locations.find(SYSTEM, ref)
        if (found === null) throw new CliError(`there is no location ${ref}`)
        await confirm(`delete location ${oneLine(found.location)} (id ${found.id})`, options)
        await locations.delete(SYSTEM, found)
        return found
      })
      say(`location ${gone.id} deleted: ${gone.location}`)
    })
}

interface AddOptions {
  readonly lat?: string
  readonly lng?: string
  readonly json?: boolean
}

/** Parses decimal degrees from -limit to limit. */
function degrees(limit: number): (text: string) => string {
  return (text) => {
    const value = /^[-+]?\d{1,3}(\.\d+)?$/.test(text) ? Number(text) : Number.NaN
    if (!(Math.abs(value) <= limit)) throw new InvalidArgumentError(`It must be a number from -${limit} to ${limit}.`)
    return text
  }
}
