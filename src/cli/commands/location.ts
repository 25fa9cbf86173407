import { type Command, InvalidArgumentError } from 'commander'
import { actWith } from '../act.ts'
import type { LoadComposition } from '../app.ts'
import { usage } from '../errors.ts'
import { say } from '../output.ts'

/** `portlight location add`. */
export function registerLocation(program: Command, load: LoadComposition): void {
  const act = actWith(load)
  const location = program.command('location').description('locations of devices')
  location
    .command('add')
    .description('add a location')
    .argument('<name>', 'name, as devices report it in sysLocation')
    .option('--lat <degrees>', 'latitude, -90 to 90; with --lng', degrees(90))
    .option('--lng <degrees>', 'longitude, -180 to 180; with --lat', degrees(180))
    .action(async (name: string, { lat, lng }: { lat?: string; lng?: string }, command: Command) => {
      if ((lat === undefined) !== (lng === undefined)) throw usage('give both --lat and --lng, or neither')
      const id = await act(command, ({ services }) =>
        services.locations.add({
          location: name,
          ...(lat !== undefined && lng !== undefined && { lat, lng }),
        }),
      )
      say(`location ${id} added: ${name}`)
    })
}

/** Parses decimal degrees from -limit to limit. */
function degrees(limit: number): (text: string) => string {
  return (text) => {
    const value = /^[-+]?\d{1,3}(\.\d+)?$/.test(text) ? Number(text) : Number.NaN
    if (!(Math.abs(value) <= limit)) throw new InvalidArgumentError(`It must be a number from -${limit} to ${limit}.`)
    return text
  }
}
