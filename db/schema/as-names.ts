import { pgTable, text } from 'drizzle-orm/pg-core'
import { big, instant } from './columns.ts'

/** Names of autonomous systems from the DNS; '': no name. */
export const asNames = pgTable('as_names', {
  asn: big().primaryKey(),
  name: text().notNull().default(''),
  updated_at: instant().notNull().defaultNow(),
})
