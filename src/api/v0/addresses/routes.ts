import { invalid } from '../../../core/base/errors.ts'
import type { AddressFamily } from '../../../core/inventory/addresses.ts'
import type { Services } from '../../../core/services.ts'
import { Elysia } from '../../elysia.ts'
import { operation, v0Context } from '../context.ts'
import { ErrorModel } from '../envelope.ts'
import { listAnswer, listOrMissing } from '../list-answer.ts'
import { rowId } from '../lookup.ts'
import { IpModel } from './model.ts'

const FAMILY_NAMES: Readonly<Record<AddressFamily, string>> = { ipv4: 'IPv4', ipv6: 'IPv6' }

/** The address family in a path. Throws 400 for anything else. */
function familyOf(word: string): AddressFamily {
  if (word === 'ipv4' || word === 'ipv6') return word
  throw invalid(`Invalid address family '${word}'`)
}

const ips = (documented: string, summary: string, id = documented, path = {}) =>
  operation({ id, documented, gate: 'Port.viewAny', summary, ...path })

/** Addresses and networks of all devices. */
export const addressRoutes = ({ inventory, log }: Pick<Services, 'inventory' | 'log'>) =>
  new Elysia({ name: 'v0.addresses', prefix: '/resources/ip' })
    .use(v0Context)
    .get(
      '/addresses',
      ({ actor }) =>
        listAnswer(inventory.addresses(actor, null), log, listOrMissing('ip_addresses', 'IP addresses do not exist')),
      {
        ...ips('list_ip_addresses', 'Addresses of all devices, IPv4 first'),
        response: { 200: IpModel.addresses, 404: ErrorModel },
      },
    )
    .get(
      '/addresses/:address_family',
      ({ actor, params }) => {
        const family = familyOf(params.address_family)
        const missing = `${FAMILY_NAMES[family]} Addresses do not exist`
        return listAnswer(inventory.addresses(actor, family), log, listOrMissing('ip_addresses', missing))
      },
      {
        ...ips('list_ip_addresses', 'Addresses of one family', 'list_ip_addresses_family'),
        params: IpModel.family,
        response: { 200: IpModel.addresses, 400: ErrorModel, 404: ErrorModel },
      },
    )
    .get(
      '/networks',
      ({ actor }) =>
        listAnswer(inventory.networks(actor, null), log, listOrMissing('ip_networks', 'IP networks do not exist')),
      {
        ...ips('list_ip_networks', 'Networks of all devices, IPv4 first'),
        response: { 200: IpModel.networks, 404: ErrorModel },
      },
    )
    .get(
      '/networks/:id',
      ({ actor, params }) => {
        const family = familyOf(params.id)
        const missing = `${FAMILY_NAMES[family]} Networks do not exist`
        return listAnswer(inventory.networks(actor, family), log, listOrMissing('ip_networks', missing))
      },
      {
        ...ips('list_ip_networks', 'Networks of one family', 'list_ip_networks_family', {
          path: '/resources/ip/networks/:address_family',
        }),
        params: IpModel.networkFamily,
        response: { 200: IpModel.networks, 400: ErrorModel, 404: ErrorModel },
      },
    )
    .get(
      '/networks/:id/ip',
      ({ actor, params: { id } }) => {
        const missing = `IP network ${id} does not exist or is empty`
        return listAnswer(inventory.addressesOfNetwork(actor, rowId(id)), log, listOrMissing('addresses', missing))
      },
      {
        ...ips('get_network_ip_addresses', 'Addresses within a network'),
        params: IpModel.network,
        response: { 200: IpModel.ofNetwork, 404: ErrorModel },
      },
    )
