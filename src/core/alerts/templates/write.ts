import type { Store } from '../../database/client.ts'

/** Texts of a notification, and the rules that use them. */
export interface AlertTemplateRecord {
  readonly id: number
  readonly name: string
  readonly template: string
  readonly title: string | null
  readonly title_rec: string | null
  /** Ids of rules. */
  readonly alert_rules: readonly number[]
}

/** Templates by id, or one. */
export async function listAlertTemplates({ sql }: Store, id?: number): Promise<AlertTemplateRecord[]> {
  return await sql<AlertTemplateRecord[]>`
      select t.id, t.name, t.template, t.title, t.title_rec,
        array(select alert_rule_id from alert_template_map m where m.alert_templates_id = t.id
          order by alert_rule_id) as alert_rules
      from alert_templates t where ${id === undefined ? sql`true` : sql`t.id = ${id}`} order by t.id`
}
