import type { Command } from 'commander'
import { SYSTEM } from '../../core/base/actor.ts'
import { SENSOR_CLASSES } from '../../lib/sensor-classes.ts'
import { actWith } from '../act.ts'
import type { LoadComposition } from '../app.ts'
import { usage } from '../errors.ts'
import { positive } from '../numbers.ts'
import { printJson, printTable, say } from '../output.ts'

const NAMES = ['high', 'highWarn', 'lowWarn', 'low'] as const
type Options = { readonly [K in (typeof NAMES)[number]]?: number | null } & { readonly reset?: boolean }

/** `portlight sensor list|limits`. */
export function registerSensor(program: Command, load: LoadComposition): void {
  const sensor = program.command('sensor').description('sensors of devices and their limits')
  const act = actWith(load)

  sensor
    .command('list')
    .description('list the sensors of a device with their limits and where these come from')
    .argument('<device>', 'hostname or id')
    .option('--json', 'print JSON')
    .action(async (ref: string, options: { json?: boolean }, command: Command) => {
      const rows = await act(command, async ({ services }) => {
        const { device_id } = await services.devices.require(SYSTEM, ref)
        return await services.inventory.limitedSensors(device_id)
      })
      if (options.json === true) return printJson(rows)
      const heading = ['ID', 'CLASS', 'SENSOR', 'VALUE', 'LOW', 'LOW WARN', 'HIGH WARN', 'HIGH', 'UNIT', 'LIMITS BY']
      printTable(
        heading,
        rows.map((row) => [
          row.sensor_id,
          row.class,
          row.descr,
          row.value,
          row.low,
          row.low_warn,
          row.high_warn,
          row.high,
          SENSOR_CLASSES[row.class]?.[0] ?? '',
          row.source,
        ]),
      )
    })

  sensor
    .command('limits')
    .description('set the limits of a sensor, which discovery then keeps; limits that are not given stay as they are')
    .argument('<device>', 'hostname or id')
    .argument('<sensor>', 'id of the sensor, from sensor list', positive)
    .option('--high <value>', 'upper limit, or none', limit)
    .option('--high-warn <value>', 'upper warning limit, or none', limit)
    .option('--low-warn <value>', 'lower warning limit, or none', limit)
    .option('--low <value>', 'lower limit, or none', limit)
    .option('--reset', 'let the next discovery set them')
    .action(async (ref: string, id: number, options: Options, command: Command) => {
      const given = NAMES.some((name) => options[name] !== undefined)
      if (given === (options.reset === true)) throw usage('give at least one limit, or --reset')
      const text = await act(command, async ({ services: { devices, inventory } }) => {
        const { device_id, hostname } = await devices.require(SYSTEM, ref)
        const { high, highWarn: high_warn, lowWarn: low_warn, low } = options
        const limits = {
          ...(high !== undefined && { high }),
          ...(high_warn !== undefined && { high_warn }),
          ...(low_warn !== undefined && { low_warn }),
          ...(low !== undefined && { low }),
        }
        await inventory.changeLimits(SYSTEM, device_id, id, options.reset === true ? null : limits)
        return options.reset === true
          ? `the next discovery of ${hostname} sets the limits of sensor ${id}`
          : `limits of sensor ${id} of ${hostname} set`
      })
      say(text)
    })
}

function limit(text: string): number | null {
  if (text === 'none') return null
  const number = Number(text)
  if (text.trim() === '' || !Number.isFinite(number)) throw usage(`${text} is not a number, nor none`)
  return number
}
