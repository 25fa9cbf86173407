import type { FormOs } from '../../librenms/form.ts'
import type { LoadedDefinitions } from '../../librenms/store.ts'
import { isComplete, type Phase, type PhaseInput, type Read } from '../module.ts'
import type { Observation } from '../observation.ts'
import { withoutIgnored } from '../storage/ignored.ts'
import { Cells } from './cells.ts'
import { isValue, readingPlan, restOfPlan, singleObjects, valuesOf } from './plan.ts'
import { loadedMempools, loadedStorage } from './pools.ts'
import { loadedProcessors, type PolledTexts, polledProcessors } from './processors.ts'
import { deviceFields } from './rows.ts'
import { FOLDER_SETTING, hasHealth } from './rules.ts'
import { loadedSensors } from './sensors.ts'
import { valueText } from './text.ts'

/** Name of the module, whose results are merged with those of the others. */
export const LOADED_MODULE = 'loaded-definitions'

/**
 * Sensors, processors, memory and storage from the loaded definition of the OS. Kinds that it does not mention are not
 * observed.
 */
export function discoverLoaded(open: (folder: unknown) => LoadedDefinitions): Phase {
  const formOf = ({ device }: Pick<PhaseInput, 'device'>): FormOs | null =>
    device.os === null ? null : open(device.settings[FOLDER_SETTING]).form(device.os)
  return {
    *follow(input) {
      const form = formOf(input)
      if (!hasHealth(form)) return
      yield { key: 'loaded', ...readingPlan(form) }
      const read = input.followed.get('loaded')
      const rest = read === undefined || !isComplete(read) ? null : restOfPlan(form, read)
      if (rest !== null) yield { key: 'rest', ...rest }
      if (read === undefined || form.processors.length === 0) return
      const values = valuesOf(form, read, input.followed.get('rest'))
      const cells = new Cells(form, values, 'plain', form.walks)
      const oids = polledProcessors(form, cells, deviceFields(input.device))
      if (oids.length > 0) yield { key: 'polled', scalars: singleObjects(oids) }
    },
    run(input) {
      const form = formOf(input)
      const read = input.followed.get('loaded')
      if (form === null || read === undefined) return []
      const [rest, polled] = [input.followed.get('rest'), input.followed.get('polled')]
      const complete = [read, rest, polled].every((one) => one === undefined || isComplete(one))
      const values = valuesOf(form, read, rest)
      const cells = new Cells(form, values, 'plain', form.walks)
      const device = deviceFields(input.device)
      const found: Observation[] = []
      if (form.sensors.length > 0) found.push({ kind: 'sensors', complete, rows: loadedSensors(form, cells, device) })
      if (form.processors.length > 0)
        found.push({ kind: 'processors', complete, rows: loadedProcessors(form, cells, device, textsIn(polled)) })
      if (form.mempools.length > 0)
        found.push({ kind: 'mempools', complete, rows: loadedMempools(form, values, device) })
      if (form.storage.length > 0) {
        const rows = withoutIgnored(loadedStorage(form, values, device), input.device.settings)
        found.push({ kind: 'storage', complete, rows })
      }
      return found
    },
  }
}

function textsIn(read: Read | undefined): PolledTexts {
  const texts = new Map<string, string>()
  for (const [oid, value] of Object.entries(read?.scalars ?? {}))
    if (isValue(value)) texts.set(oid, valueText(value, undefined, 'plain') ?? '')
  return texts
}
