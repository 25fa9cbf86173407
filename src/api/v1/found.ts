import { forbidden } from '../../core/base/errors.ts'
import { isAllowed, type Permission } from '../../core/base/permissions.ts'
import type { FoundKind, FoundRows } from '../../core/lists/network-service.ts'
import type { Services } from '../../core/services.ts'
import { t } from '../elysia.ts'
import { whole } from '../integer.ts'
import { Text } from '../nullable.ts'
import { numberOf, type QueryTexts } from './given.ts'
import { v1Run } from './run.ts'

const DEFAULT_LIMIT = 100
const MAX_LIMIT = 1000
const MAX_OFFSET = 1_000_000
const MAX_ID = 2_147_483_647

const Given = (description: string) => t.Optional(t.String({ description }))
/** What a list of what discovery found can be asked for. */
export const FoundQueryOf = t.NoValidate(
  t.Object({
    device: Given('device_id; absent: all enabled devices'),
    text: Given('Part of the name of the device or port, or of the row, regardless of case'),
    limit: Given(`1 to ${MAX_LIMIT}; default ${DEFAULT_LIMIT}`),
    offset: Given(`0 to ${MAX_OFFSET}; default 0`),
  }),
)

const OF_DEVICE = {
  device_id: whole(),
  hostname: t.Union([t.String(), t.Null()], { description: 'null: the device is not granted to the caller' }),
  port_id: t.Union([whole(), t.Null()], { description: 'null: none, or unknown' }),
  ifName: Text,
}
export const OptionalFlag = t.Union([t.Boolean(), t.Null()])

/** The answer with such a list, whose rows have these attributes. */
export const listOf = <T extends Parameters<typeof t.Object>[0]>(attributes: T, title: string) =>
  t.NoValidate(
    t.Object({
      data: t.Array(
        t.Object({
          type: t.String(),
          id: t.String(),
          attributes: t.Object({ ...OF_DEVICE, ...attributes }, { title }),
        }),
      ),
      meta: t.Object({ total: whole(), limit: whole(), offset: whole() }),
    }),
  )

/** A kind of rows whose ids are answered. */
type Listed = { readonly [K in FoundKind]: FoundRows[K] extends { readonly id: number } ? K : never }[FoundKind]

/** A list: its kind on the pages, and how a row becomes the attributes of a resource. */
export interface FoundResource<K extends Listed> {
  readonly kind: K
  readonly operation: string
  readonly type: string
  readonly gate: Permission
  readonly attributes: (row: FoundRows[K]) => object
}

/** Answers requests for such lists. These operations are our own; LibreNMS has none like them. */
export function foundAnswers(services: Pick<Services, 'auth' | 'sessions' | 'network' | 'config' | 'log'>) {
  const run = v1Run(services)
  type Asked = Parameters<typeof run>[1] & { readonly query: QueryTexts }
  return <K extends Listed>(list: FoundResource<K>, { bearer, request, query }: Asked) =>
    run(list.operation, { bearer, request }, async (actor) => {
      if (!isAllowed(actor, list.gate, services.config)) throw forbidden('')
      const limit = numberOf(query, 'limit', MAX_LIMIT, 1) ?? DEFAULT_LIMIT
      const offset = numberOf(query, 'offset', MAX_OFFSET) ?? 0
      const deviceId = numberOf(query, 'device', MAX_ID, 1)
      const wanted = { deviceId, text: query['text'] ?? '', limit, offset }
      const { rows, total } = await services.network.found(actor, list.kind, wanted)
      return {
        data: rows.map((row) => ({
          type: list.type,
          id: String(row.id),
          attributes: {
            device_id: row.device_id,
            hostname: row.device,
            port_id: row.port_id,
            ifName: row.port,
            ...list.attributes(row),
          },
        })),
        meta: { total, limit, offset },
      }
    })
}
