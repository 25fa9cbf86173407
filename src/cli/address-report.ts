import type { AdviceWords } from '../core/devices/advice.ts'
import type { AddressExplanation } from '../core/devices/explain-address.ts'
import type { ProbeSetting } from '../core/devices/probe-settings.ts'
import { type AddStep, millis } from '../core/devices/steps.ts'
import { oneLine } from '../lib/one-line.ts'

/** How advice names what commands have. */
export const COMMAND_WORDS: AdviceWords = {
  unprobed: '--force',
  anySource: '--any-source',
  setting: (name) => `${name} (portlight config set ${name} VALUE)`,
}

/** A line for a step that was tried: `SNMP v2c with the given community: no answer (3.0 s)`. */
export function stepText({ what, result, tookMs }: AddStep): string {
  return oneLine(`${what}: ${result} (${millis(tookMs)})`)
}

/** `snmp.timeout 1 (stored)`; of defaults, only the value. */
export function probeSettingsText(settings: readonly ProbeSetting[]): string {
  return settings
    .map(({ name, value, origin }) => `${name} ${value}${origin === 'default' ? '' : ` (${origin})`}`)
    .join('; ')
}

function verdictText({ address, port, answers, resolves }: AddressExplanation): string {
  if (answers) return `answers; add it with: portlight device add ${address}`
  if (!resolves) return 'the name has no address, so nothing was asked'
  return `does not answer SNMP at UDP port ${port} with the credentials of the settings`
}

/** The output of `device explain` for an address that is not monitored. */
export function addressText(explanation: AddressExplanation): string {
  const { address, steps, settings, monitoredAs, advice } = explanation
  const lines: [string, string][] = [
    monitoredAs === null
      ? ['device', `${address} is not monitored`]
      : ['device', `${address} is the sysName of ${monitoredAs}: portlight device explain ${monitoredAs}`],
    ['now', verdictText(explanation)],
    ...steps.map((one, i): [string, string] => [i === 0 ? 'tried' : '', stepText(one)]),
    ['settings', probeSettingsText(settings)],
    ...advice.map((text, i): [string, string] => [i === 0 ? 'check' : '', text]),
  ]
  const width = Math.max(...lines.map(([name]) => name.length))
  return lines.map(([name, text]) => `${name.padEnd(width)}  ${oneLine(text)}`).join('\n')
}
