import { type Command, InvalidArgumentError } from 'commander'
import { SYSTEM } from '../../core/base/actor.ts'
import { actWith } from '../act.ts'
import type { LoadComposition } from '../app.ts'
import { usage } from '../errors.ts'
import { say } from '../output.ts'

/** `usual` instead of null, which the parser of options replaces. */
interface LimitOptions {
  readonly grouping?: boolean | 'usual'
  readonly window?: number | 'usual'
  readonly rate?: number | 'usual'
}

const given = <T>(value: T | 'usual' | undefined): T | null | undefined => (value === 'usual' ? null : value)

/** `portlight transport limit`. */
export function registerTransportLimit(transport: Command, load: LoadComposition): void {
  const act = actWith(load)
  transport
    .command('limit')
    .description('set whether a transport sends what happens at the same time as one message, and how much it sends')
    .argument('<name>', 'name or id')
    .option('--grouping <on|off|usual>', 'one message for what happens at the same time', groupingOf)
    .option(
      '--window <seconds>',
      'how long the first notification waits for others; usual: alert.group_window',
      numberOf,
    )
    .option('--rate <number>', 'maximum number of messages in any minute, 0: no limit; usual: alert.rate', numberOf)
    .action(async (name: string, { grouping, window, rate }: LimitOptions, command: Command) => {
      if (grouping === undefined && window === undefined && rate === undefined)
        throw usage('give --grouping, --window or --rate')
      await act(command, ({ services }) =>
        services.transports.limit(
          name,
          { grouping: given(grouping), window: given(window), rate: given(rate) },
          SYSTEM,
        ),
      )
      say(`transport ${name} changed`)
    })
}

function groupingOf(text: string): boolean | 'usual' {
  if (text === 'usual') return text
  if (text !== 'on' && text !== 'off') throw new InvalidArgumentError('It must be on, off or usual.')
  return text === 'on'
}

function numberOf(text: string): number | 'usual' {
  if (text === 'usual') return text
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It must be a whole number, or usual.')
  return Number(text)
}
