import type { Settings } from '../../config/schema.ts'
import type { Log } from '../../observe/log.ts'
import type { Actor } from '../base/actor.ts'
import { unusable } from '../base/errors.ts'
import { requireAllDevices, requireGrants } from '../base/grants-check.ts'
import type { Store } from '../database/client.ts'
import type { CompiledRule } from '../rules/compile.ts'
import { BuilderError } from '../rules/errors.ts'
import { brokenRule } from '../rules/read-matches.ts'
import { compileFor } from '../rules/rule-reader.ts'
import { descField, type Fields, FormErrors, idsField, isRowId, NAME_TAKEN, refuseUnknown, textField } from './form.ts'
import { type DeviceGroupRecord, isGroupNameTaken, unknownIds } from './read.ts'
import type { DeviceGroupValues } from './write.ts'

export interface BodyDeps {
  readonly store: Store
  readonly settings: Settings
  readonly log: Log
}

/** Reads what is sent to create or change a device group. */
export function createDeviceGroupBody({ store, settings, log }: BodyDeps) {
  /** The devices of a body. Throws `invalid`. */
  async function devicesOf(fields: Fields): Promise<number[]> {
    const errors = new FormErrors()
    const given = fields['devices']
    if (given === undefined || given === null || (Array.isArray(given) && given.length === 0)) {
      errors.add('devices', 'The devices field is required.')
    }
    const ids = given == null ? [] : (idsField(given, 'devices', errors) ?? [])
    errors.throwIfAny()
    return ids
  }

  /** Adds an error for each unknown id; throws `forbidden` for devices that the actor is not granted. */
  async function known(actor: Actor, ids: readonly number[], errors: FormErrors): Promise<void> {
    await requireGrants(store, actor, { devices: ids.map((id) => (isRowId(id) ? id : -1)) })
    const unknown = await unknownIds(store, 'devices', ids.filter(isRowId))
    refuseUnknown('devices', ids, unknown, errors)
  }

  /** The changes in a body, checked against the stored group (null: a new one). */
  async function changesOf(actor: Actor, fields: Fields, before: DeviceGroupRecord | null) {
    const errors = new FormErrors()
    const sent = (name: string) => fields[name] !== undefined
    const isNew = before === null
    const name = isNew || sent('name') ? textField(fields, 'name', true, errors) : undefined
    if (name !== undefined && (await isGroupNameTaken(store, 'device_groups', name, before?.id ?? 0))) {
      errors.add('name', NAME_TAKEN)
    }
    const type = isNew || sent('type') ? textField(fields, 'type', true, errors) : undefined
    if (type !== undefined && type !== 'static' && type !== 'dynamic') {
      errors.add('type', 'The selected type is invalid.')
    }
    const desc = descField(fields, errors)
    const rules = rulesField(fields, type === 'dynamic', errors)
    if (type === 'static' && fields['devices'] === undefined) {
      errors.add('devices', 'The devices field must be present when type is static.')
    }
    const devices = fields['devices'] == null ? undefined : idsField(fields['devices'], 'devices', errors)
    if (devices !== undefined) await known(actor, devices, errors)
    errors.throwIfAny()
    const kind = type === 'static' || type === 'dynamic' ? type : (before?.type ?? 'static')
    // rules may match any device
    if (kind === 'dynamic') requireAllDevices(actor)
    const changes: Partial<DeviceGroupValues> = {
      ...(name !== undefined && { name }),
      ...(type !== undefined && { type: kind }),
      ...(desc !== undefined && { desc }),
      ...(rules !== undefined && { rules }),
      ...(kind === 'static' && type !== undefined && { rules: null }),
    }
    const text = kind === 'dynamic' ? (rules ?? before?.rules ?? null) : null
    return { changes, kind, devices, rule: text === null ? null : await usableRule(actor, text) }
  }

  /** Compiles a rule and checks that it runs. Throws `unusable`. */
  async function usableRule(actor: Actor, rules: string): Promise<CompiledRule> {
    const refused = (cause: BuilderError) => {
      log.info({ reason: cause.message }, 'the rules of a device group were refused')
      return unusable("We couldn't parse your rule", cause)
    }
    try {
      const rule = compileFor(actor, settings, rules)
      // members change only when something is written, and are read at every poll
      if (rule.overTime) throw new BuilderError('Conditions over time are for alert rules')
      const broken = await brokenRule(store, rule)
      if (broken === null) return rule
      throw refused(new BuilderError(broken))
    } catch (error) {
      throw error instanceof BuilderError ? refused(error) : error
    }
  }

  return { devicesOf, known, changesOf }
}

/** The rules as JSON text. */
function rulesField(fields: Fields, required: boolean, errors: FormErrors): string | undefined {
  const value = fields['rules']
  if (value === undefined || value === null || value === '') {
    if (required) errors.add('rules', 'The rules field is required when type is dynamic.')
    return undefined
  }
  const isJson = typeof value === 'string' && parses(value)
  if (!isJson) errors.add('rules', 'The rules field must be a valid JSON string.')
  return isJson ? value : undefined
}

function parses(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
