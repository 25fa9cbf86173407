import { failureText } from '@portlight/snmp/failure.ts'
import { SYSTEM } from '../core/base/actor.ts'
import { DomainError } from '../core/base/errors.ts'
import { addListed, type ListedResult, type ListReport } from '../core/device-lists/add.ts'
import { readHosts } from '../core/device-lists/text.ts'
import { advice } from '../core/devices/advice.ts'
import type { NewDevice } from '../core/devices/new-device.ts'
import type { DeviceRow } from '../core/devices/service.ts'
import type { AddStep } from '../core/devices/steps.ts'
import { COMMAND_WORDS, stepText } from './address-report.ts'
import { askedLine } from './asked-line.ts'
import { type AddOptions, newDevice, withGroup } from './device-request.ts'
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
    const report = askedLine((one) => {
      steps.push(one)
      say(`  ${stepText(one)}`)
    })
    const { record, taken, failure } = await services.devices.addAndReport(SYSTEM, request, report)
    if (taken !== null) say(`${record.hostname} answers to ${taken.text}`)
    if (failure !== null) say(`${record.hostname} is down: ${failureText(failure)}`)
    return record
  } catch (error) {
    if (error instanceof DomainError)
      for (const line of advice(error.code, steps, port, COMMAND_WORDS)) say(`  check: ${line}`)
    throw error
  }
}

/** Adds the devices of a list with the same options. Each failure is said with its line; the others are added. */
export async function addList(context: CommandContext, text: string, options: AddOptions): Promise<ListReport> {
  const known = await withGroup(context.services, options)
  return await addListed(readHosts(text), {
    atOnce: 1,
    add: ({ given }) => addSaying(context, newDevice(given.hostname, known)),
    tell: sayResult,
  })
}

/** Says what became of a line of a list. */
export function sayResult({ line, host, deviceId, text }: ListedResult): void {
  say(
    deviceId === null
      ? `line ${line}: ${host}: ${inCommandStyle(text)}`
      : `line ${line}: device ${host} added with id ${deviceId}`,
  )
}
