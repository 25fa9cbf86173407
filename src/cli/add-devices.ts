import { SYSTEM } from '../core/base/actor.ts'
import { DomainError } from '../core/base/errors.ts'
import type { NewDevice } from '../core/devices/add.ts'
import { advice } from '../core/devices/advice.ts'
import type { DeviceRow } from '../core/devices/service.ts'
import type { AddStep } from '../core/devices/steps.ts'
import { failureText } from '../snmp/failure.ts'
import { COMMAND_WORDS, stepText } from './address-report.ts'
import { type AddOptions, newDevice } from './device-request.ts'
import { inCommandStyle } from './message-style.ts'
import type { CommandContext } from './open.ts'
import { say } from './output.ts'

/**
 * Adds a device and says what is tried, what answers and, if it cannot be added, what to check. Rethrows the DomainError.
 */
export async function addSaying(
  { services, settings }: Pick<CommandContext, 'services' | 'settings'>,
  request: NewDevice,
): Promise<DeviceRow> {
  const port = request.port ?? settings.get('snmp.port')
  const steps: AddStep[] = []
  if (request.force !== true)
    say(
      request.snmpDisable === true
        ? `trying ${request.hostname} by ping`
        : `trying ${request.hostname}, SNMP at UDP port ${port}`,
    )
  try {
    const { record, taken, failure } = await services.devices.addAndReport(SYSTEM, request, (one) => {
      steps.push(one)
      say(`  ${stepText(one)}`)
    })
    if (taken !== null) say(`${record.hostname} answers to ${taken.text}`)
    if (failure !== null) say(`${record.hostname} is down: ${failureText(failure)}`)
    return record
  } catch (error) {
    if (error instanceof DomainError)
      for (const line of advice(error.code, steps, port, COMMAND_WORDS)) say(`  check: ${line}`)
    throw error
  }
}

/** How many devices of a list were added, were there already, and could not be added. */
export interface ListReport {
  readonly added: number
  readonly present: number
  readonly failed: number
}

/** The names and addresses of a list, one a line, with the number of the line; `#` begins a comment. */
export function hostsOf(text: string): readonly { readonly line: number; readonly host: string }[] {
  return text
    .split(/\r?\n/)
    .map((words, i) => ({ line: i + 1, host: words.replace(/#.*$/, '').trim() }))
    .filter(({ host }) => host !== '')
}

/** Adds the devices of a list with the same options. Each failure is said with its line; the others are added. */
export async function addList(context: CommandContext, text: string, options: AddOptions): Promise<ListReport> {
  const report = { added: 0, present: 0, failed: 0 }
  for (const { line, host } of hostsOf(text)) {
    try {
      const { device_id, hostname } = await addSaying(context, newDevice(host, options))
      report.added++
      say(`line ${line}: device ${hostname} added with id ${device_id}`)
    } catch (error) {
      if (!(error instanceof DomainError)) throw error
      if (error.code === 'conflict') report.present++
      else report.failed++
      say(`line ${line}: ${host}: ${inCommandStyle(error.message)}`)
    }
  }
  return report
}
