import type { Store } from '../../store/client.ts'
import { absentIds } from '../../store/readers/alert-rules.ts'
import { type AlertTemplateRecord, listAlertTemplates } from '../../store/readers/alert-templates.ts'
import { type AlertTemplateValues, insertAlertTemplate, replaceAlertTemplate } from '../../store/writers/alert-rules.ts'
import { failed, invalid } from '../errors.ts'
import { templateFault } from './template-syntax.ts'

export type { AlertTemplateRecord }

/** A template as somebody wants it. */
export type WantedTemplate = AlertTemplateValues

/** The template that every installation has. */
const RESERVED = 'Default Alert Template'

/** What became of a template. `complete` false: rules that do not exist were left out. */
export interface StoredTemplate {
  readonly id: number
  readonly complete: boolean
}

/** The verbs on templates of notifications. */
export function createAlertTemplateService({ store }: { readonly store: Store }) {
  async function existing(wanted: WantedTemplate): Promise<{ values: WantedTemplate; complete: boolean }> {
    const absent = new Set(await absentIds(store, 'alert_rules', wanted.ruleIds))
    const ruleIds = wanted.ruleIds.filter((id) => !absent.has(id))
    return { values: { ...wanted, ruleIds }, complete: absent.size === 0 }
  }

  return {
    /** Templates by id. */
    async list(): Promise<AlertTemplateRecord[]> {
      return await listAlertTemplates(store)
    },

    /** One template, or none. */
    async find(id: number): Promise<AlertTemplateRecord[]> {
      return await listAlertTemplates(store, id)
    },

    /** Throws `invalid` when one of the texts cannot be read. */
    check(texts: readonly (string | null)[]): void {
      for (const text of texts) {
        const fault = text === null ? null : templateFault(text)
        if (fault !== null) throw invalid(`Template failed to be parsed, please check the syntax. ${fault}`)
      }
    },

    /** Stores a template. Throws `invalid` for the reserved name. */
    async add(wanted: WantedTemplate): Promise<StoredTemplate> {
      if (wanted.name === RESERVED) throw invalid('This template name is reserved!')
      const { values, complete } = await existing(wanted)
      return { id: await insertAlertTemplate(store, values), complete }
    },

    /** Replaces a template and the rules that use it. Throws `failed` for an unknown id. */
    async replace(id: number, wanted: WantedTemplate): Promise<StoredTemplate> {
      const { values, complete } = await existing(wanted)
      if (!(await replaceAlertTemplate(store, id, values))) throw failed('Server Error')
      return { id, complete }
    },
  }
}

export type AlertTemplateService = ReturnType<typeof createAlertTemplateService>
