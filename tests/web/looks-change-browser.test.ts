import { testLooks } from './looks.ts'

testLooks('changing', (at) => [
  '/bills',
  '/bills/new',
  `/bills/${at.billId}`,
  '/groups',
  '/groups/new',
  '/groups/ports/new',
  '/services',
  '/services/new',
  `/services/${at.serviceId}`,
  '/alerts/rules',
  '/alerts/rules/new?preset=port-errors',
  '/alerts/operations',
  '/alerts/operations/new',
  '/alerts/templates?new',
  '/alerts/transports',
  '/alerts/transports?new=mail',
  '/devices/new',
  '/devices/new/list',
  `/device/${at.deviceId}/edit`,
])
