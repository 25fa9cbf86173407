import { invalid, notFound } from '../../../core/base/errors.ts'
import { LINK } from '../../../core/records/tables.ts'
import type { Services } from '../../../core/services.ts'
import { Elysia, t } from '../../elysia.ts'
import { whole } from '../../integer.ts'
import { operation, v0Context } from '../context.ts'
import { documented, ErrorModel, Ok } from '../envelope.ts'
import { listAnswer, listOrMissing } from '../list-answer.ts'
import { lookUpDevice, rowId } from '../lookup.ts'
import { listModel } from '../records/model.ts'

const Link = listModel(LINK, 'Link')

const LinkModel = {
  hostname: documented(t.Object({ hostname: t.String() })),
  params: documented(t.Object({ id: t.String() })),
  list: documented(t.Object({ status: Ok, links: t.Array(Link), count: whole() })),
  /** The documented member and the one LibreNMS sends; dialect `librenms` has only the latter. */
  one: documented(t.Object({ status: Ok, links: t.Optional(t.Array(Link)), link: t.Array(Link), count: whole() })),
}

const linkList = listOrMissing('links', 'Links do not exist')

/** Links: all, one, or those of a device. */
export const linkRoutes = ({ devices, inventory, log }: Pick<Services, 'devices' | 'inventory' | 'log'>) =>
  new Elysia({ name: 'v0.links' })
    .use(v0Context)
    .get('/resources/links', ({ actor }) => listAnswer(inventory.links(actor, null), log, linkList), {
      ...operation({ id: 'list_links', gate: 'Link.viewAny', summary: 'All links' }),
      response: { 200: LinkModel.list, 404: ErrorModel },
    })
    .get(
      '/resources/links/:id',
      async ({ actor, dialect, params: { id } }) => {
        if (!/^\d+$/.test(id)) throw invalid('Invalid id has been provided')
        const link = await inventory.link(actor, rowId(id))
        if (link === null) throw notFound(`Link ${id} does not exist`)
        const links = [link]
        return {
          status: 'ok' as const,
          ...(dialect === 'documented' ? { links, link: links } : { link: links }),
          count: 1,
        }
      },
      {
        ...operation({ id: 'get_link', gate: 'Link.viewAny', summary: 'One link' }),
        params: LinkModel.params,
        response: { 200: LinkModel.one, 400: ErrorModel, 404: ErrorModel },
      },
    )
    .get(
      '/devices/:hostname/links',
      async ({ actor, params }) => {
        const { device_id } = await lookUpDevice(devices, actor, params.hostname, 'Links do not exist')
        return await listAnswer(inventory.links(actor, device_id), log, linkList)
      },
      {
        ...operation({
          id: 'list_links_device',
          also: ['get_links'],
          gate: 'Device.viewAny',
          summary: 'Links of a device',
        }),
        params: LinkModel.hostname,
        response: { 200: LinkModel.list, 403: ErrorModel, 404: ErrorModel },
      },
    )
