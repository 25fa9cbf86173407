import { bigint, customType, smallint, timestamp } from 'drizzle-orm/pg-core'

/** A LibreNMS flag: 0 or 1, as the API sends it. */
export const flag = (initial: 0 | 1 = 0) => smallint().notNull().default(initial)

/** An instant. */
export const instant = () => timestamp({ withTimezone: true, mode: 'date' })

/** A 64-bit integer whose values stay below 2^53, so that a JavaScript number is exact. */
export const big = () => bigint({ mode: 'number' })

/** Text that is compared octet by octet. */
export const byteOrderedText = customType<{ data: string }>({ dataType: () => 'text collate "C"' })
