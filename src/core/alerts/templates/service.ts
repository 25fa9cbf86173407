import { parseTemplate } from '@portlight/templates/parse.ts'
import type { Actor } from '../../base/actor.ts'
import { recordChange } from '../../base/change-audit.ts'
import { differences } from '../../base/differences.ts'
import { absent, conflict, invalid, notFound } from '../../base/errors.ts'
import { requireAllDevices } from '../../base/grants-check.ts'
import type { Store } from '../../database/client.ts'
import { absentIds } from '../rules/read.ts'
import {
  type AlertTemplateValues,
  deleteAlertTemplate,
  insertAlertTemplate,
  replaceAlertTemplate,
} from '../rules/write.ts'
import { type AlertTemplateRecord, listAlertTemplates } from './write.ts'

export type { AlertTemplateRecord }

/** A template to store. */
export type TemplateDraft = AlertTemplateValues

/** Name of the built-in template. */
const RESERVED = 'Default Alert Template'

/** Result of storing a template. `complete` is false if rules that do not exist were left out. */
export interface StoredTemplate {
  readonly id: number
  readonly complete: boolean
}

/** Operations on notification templates. */
export function createAlertTemplateService({ store }: { readonly store: Store }) {
  async function existing(draft: TemplateDraft): Promise<{ values: TemplateDraft; complete: boolean }> {
    const absent = new Set(await absentIds(store, 'alert_rules', draft.ruleIds))
    const ruleIds = draft.ruleIds.filter((id) => !absent.has(id))
    return { values: { ...draft, ruleIds }, complete: absent.size === 0 }
  }

  return {
    /** Templates in order of id. */
    async list(): Promise<AlertTemplateRecord[]> {
      return await listAlertTemplates(store)
    },

    /** The template with this id, or an empty list. */
    async find(id: number): Promise<AlertTemplateRecord[]> {
      return await listAlertTemplates(store, id)
    },

    /** Throws `invalid` with line and column when one of the texts cannot be parsed. */
    check(texts: readonly (string | null)[]): void {
      for (const text of texts) {
        const read = text === null ? null : parseTemplate(text)
        if (read?.kind !== 'fault') continue
        const { line, column, message } = read
        throw invalid(
          `Template failed to be parsed, please check the syntax. Line ${line}, column ${column}: ${message}`,
        )
      }
    },

    /** Stored templates that cannot be parsed, as after an import; the default is sent instead. */
    async broken(): Promise<{ id: number; name: string; part: string; fault: string }[]> {
      return (await listAlertTemplates(store)).flatMap(({ id, name, template, title, title_rec }) =>
        Object.entries({ template, title, title_rec }).flatMap(([part, text]) => {
          const read = parseTemplate(text ?? '')
          return read.kind === 'fault'
            ? [{ id, name, part, fault: `line ${read.line}, column ${read.column}: ${read.message}` }]
            : []
        }),
      )
    },

    /** Stores a template. Throws `invalid` for the reserved name, `forbidden` for actors who do not see all devices. */
    async add(actor: Actor, draft: TemplateDraft): Promise<StoredTemplate> {
      requireAllDevices(actor)
      if (draft.name === RESERVED) throw invalid('This template name is reserved!')
      const { values, complete } = await existing(draft)
      const id = await insertAlertTemplate(store, values)
      await recordChange(store, actor, 'alert-template', draft.name, `Alert template ${draft.name} added`)
      return { id, complete }
    },

    /** Replaces a template and the rules that use it. Throws `absent` for an unknown id, `forbidden` as `add` does. */
    async replace(actor: Actor, id: number, draft: TemplateDraft): Promise<StoredTemplate> {
      requireAllDevices(actor)
      const { values, complete } = await existing(draft)
      const [before] = await listAlertTemplates(store, id)
      if (!(await replaceAlertTemplate(store, id, values)) || before === undefined)
        throw absent(`Alert template ${id} does not exist`)
      const [after] = await listAlertTemplates(store, id)
      const what = differences({ ...before }, { ...after })
      if (what !== '')
        await recordChange(store, actor, 'alert-template', before.name, `Alert template ${before.name}: ${what}`)
      return { id, complete }
    },

    /** Deletes a template. Throws `conflict` while a rule uses it, `not_found`, or `forbidden` as `add` does. */
    async delete(actor: Actor, id: number): Promise<void> {
      requireAllDevices(actor)
      const [stored] = await listAlertTemplates(store, id)
      if (await deleteAlertTemplate(store, id)) {
        const name = stored?.name ?? String(id)
        await recordChange(store, actor, 'alert-template', name, `Alert template ${name} deleted`)
        return
      }
      if (stored === undefined) throw notFound(`Alert template ${id} does not exist`)
      const n = stored.alert_rules.length
      throw conflict(
        `${n} ${n === 1 ? 'rule uses' : 'rules use'} the template ${stored.name}. Remove it from them first.`,
      )
    },
  }
}

export type AlertTemplateService = ReturnType<typeof createAlertTemplateService>
