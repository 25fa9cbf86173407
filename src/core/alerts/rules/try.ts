import type { Settings } from '../../../config/schema.ts'
import { type Actor, scopeOf } from '../../base/actor.ts'
import { invalid } from '../../base/errors.ts'
import { visibleObjects } from '../../base/read-visible.ts'
import type { Store } from '../../database/client.ts'
import { findDevices } from '../../devices/read.ts'
import { parseBuilder } from '../../rules/builder.ts'
import { compile } from '../../rules/compile.ts'
import { BuilderError } from '../../rules/errors.ts'
import { fieldWords } from '../../rules/fields/fields.ts'
import { builderWords } from '../../rules/in-words.ts'
import { MACROS } from '../../rules/macros.ts'
import { billMeasureOf, measureOf } from '../../rules/over/measures.ts'
import { brokenRule } from '../../rules/read-matches.ts'
import { RULE_TABLES } from '../../rules/read-tables.ts'
import { readerOf } from '../../rules/rule-reader.ts'
import { type PastFirings, pastFirings } from '../learned/preview.ts'
import { deviceNames, hostnames, mappedDevices } from '../read-mapped.ts'
import { faultSentence } from '../sentences/sentence.ts'
import { faultsOfDevices } from '../write-evaluation.ts'

/** A rule being edited. */
export interface TriedRule {
  /** Absent: not given yet. */
  readonly name?: string
  /** JSON text. */
  readonly builder: string
  readonly invert: boolean
  readonly invertMap: boolean
  /** Ids, hostnames or addresses. */
  readonly devices: readonly string[]
  readonly groups: readonly number[]
  readonly locations: readonly number[]
}

/** What a rule matches now. `broken`: the reason it cannot be run. */
export type Trial =
  | { readonly kind: 'broken'; readonly why: string }
  | {
      readonly kind: 'matches'
      /** The condition in words. */
      readonly rule: string
      /** Number of matching devices, and of their matching rows. */
      readonly devices: number
      readonly rows: number
      /** The first devices. */
      readonly shown: readonly {
        readonly device_id: number
        readonly device: string
        readonly rows: number
        /** What is wrong, in a sentence for each of the first rows. */
        readonly why: readonly string[]
      }[]
      readonly tookMs: number
      /** How often it would have fired in the last month, of a rule on what is usual; null: another, or not known in time. */
      readonly past: PastFirings | null
    }

const TIMEOUT_MS = 1000
const MAX_SHOWN = 50
const SHOWN_ROWS = 3

/** A field of rules: `table.column` or `macros.name`, and its type. */
export interface RuleField {
  readonly name: string
  readonly type: 'number' | 'text' | 'time' | 'condition'
  /** What it means, with its unit: `port: speed, bit/s`. */
  readonly words: string
  /** Its history is stored, so that conditions over time can compare it. */
  readonly past: boolean
}

/** All fields that a rule may compare, macros first. */
export function ruleFields(): RuleField[] {
  const fields = [
    ...Object.entries(MACROS).map(([name, { type }]) => ({ name: `macros.${name}`, type })),
    ...[...RULE_TABLES.values()].flatMap((table) =>
      [...table.columns].map(([column, { type }]) => ({
        // rules address a port's latest samples as columns of the port
        name: `${table.name === 'ports_live' ? 'ports' : table.name}.${column}`,
        type,
      })),
    ),
  ]
  return fields.map((field) => ({
    ...field,
    words: fieldWords(field.name) ?? field.name,
    past: measureOf(field.name) !== null || billMeasureOf(field.name) !== null,
  }))
}

/** Maximum concurrent runs of one user, because typing starts them faster than they end. */
const MAX_AT_ONCE = 2

/** Runs rules that are being edited, for at most a second each; nothing is stored. */
export function createRuleTrial({ store, settings }: { readonly store: Store; readonly settings: Settings }) {
  const running = new Map<number, number>()

  return {
    /** Hostnames of those devices that the actor may see. */
    async deviceNames(actor: Actor, ids: readonly number[]): Promise<string[]> {
      const visible = await visibleTo(actor)
      return await hostnames(
        store,
        ids.filter((id) => visible === null || visible.has(id)),
      )
    },

    /** What the rule matches now, in the rows that the actor may see of each table. */
    async run(actor: Actor, tried: TriedRule): Promise<Trial> {
      const userId = actor.userId ?? 0
      const others = running.get(userId) ?? 0
      if (others >= MAX_AT_ONCE) return { kind: 'broken', why: 'earlier evaluations are still running, try again' }
      running.set(userId, others + 1)
      try {
        return await evaluated(actor, tried)
      } finally {
        const left = (running.get(userId) ?? 1) - 1
        if (left === 0) running.delete(userId)
        else running.set(userId, left)
      }
    },
  }

  async function evaluated(actor: Actor, tried: TriedRule): Promise<Trial> {
    const beganMs = performance.now()
    try {
      const group = parseBuilder(tried.builder)
      const reader = readerOf(actor, settings)
      const compiled = compile(group, reader)
      const fault = await brokenRule(store, compiled)
      if (fault !== null) return { kind: 'broken', why: fault }
      const { params, parts } = compiled
      const rule = {
        id: 0,
        group: '',
        inverted: tried.invert,
        mapped: false,
        invertMap: false,
        params,
        parts,
      }
      const sentences = { name: tried.name ?? '', group, tables: parts.tables, inverted: tried.invert }
      const now = Date.now()
      const limits = { maxKeys: 1, maxRows: SHOWN_ROWS, timeoutMs: TIMEOUT_MS }
      const devices = await devicesFor(actor, tried)
      const found = await faultsOfDevices(store, rule, devices, limits)
      if (found.kind === 'broken') {
        const { kind, detail } = found.failure
        return { kind: 'broken', why: kind === 'timeout' ? 'it takes longer than a second to evaluate' : detail }
      }
      const tookMs = performance.now() - beganMs
      const ids = [...found.of.keys()].toSorted((a, b) => a - b)
      const names = await deviceNames(store, ids.slice(0, MAX_SHOWN))
      return {
        kind: 'matches',
        rule: builderWords(group),
        devices: ids.length,
        rows: [...found.of.values()].reduce((sum, { count }) => sum + count, 0),
        shown: ids.slice(0, MAX_SHOWN).map((id) => ({
          device_id: id,
          device: names.get(id) ?? String(id),
          rows: found.of.get(id)?.count ?? 0,
          why: (found.of.get(id)?.rows ?? []).map((row) =>
            faultSentence(sentences, row, { device: names.get(id) ?? String(id), since: null, now }),
          ),
        })),
        tookMs,
        past: await pastFirings(store, group, reader, devices, Date.now() / 1000),
      }
    } catch (error) {
      if (error instanceof BuilderError) return { kind: 'broken', why: error.message }
      throw error
    }
  }

  /** Ids of granted devices; null: all. */
  async function visibleTo(actor: Actor): Promise<ReadonlySet<number> | null> {
    const scope = scopeOf(actor)
    return scope.kind === 'all' ? null : new Set((await visibleObjects(store, scope)).devices)
  }

  /** Ids of the devices to which the rule would apply; null: all. Throws `invalid`. */
  async function devicesFor(actor: Actor, tried: TriedRule): Promise<number[] | null> {
    const { devices, groups, locations, invertMap } = tried
    const isMapped = devices.length + groups.length + locations.length > 0
    const visible = await visibleTo(actor)
    const found = await findDevices(store, devices)
    const named = found.map((device) =>
      device !== null && visible?.has(device.device_id) !== false ? device.device_id : null,
    )
    const absent = devices.filter((_, i) => named[i] === null)
    if (absent.length > 0) throw invalid(`There is no device ${absent.slice(0, 5).join(', ')}`)
    const ids = named.filter((id) => id !== null)
    const mapped = isMapped ? await mappedDevices(store, { devices: ids, groups, locations, invertMap }) : null
    if (visible === null) return mapped
    return mapped === null ? [...visible] : mapped.filter((id) => visible.has(id))
  }
}

export type RuleTrial = ReturnType<typeof createRuleTrial>
