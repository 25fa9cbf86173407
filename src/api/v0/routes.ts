import type { Services } from '../../core/services.ts'
import { Elysia } from '../elysia.ts'
import { addressRoutes } from './addresses/routes.ts'
import { alertRoutes } from './alerts/routes.ts'
import { alertRuleRoutes } from './alerts/rule-routes.ts'
import { alertTemplateRoutes } from './alerts/template-routes.ts'
import { backupRoutes } from './backup/routes.ts'
import { billGraphRoutes } from './bills/graph-routes.ts'
import { billRoutes } from './bills/routes.ts'
import { componentRoutes } from './components/routes.ts'
import { parentRoutes } from './devices/parent-routes.ts'
import { deviceRoutes } from './devices/routes.ts'
import { graphRoutes } from './graphs/routes.ts'
import { deviceGroupRoutes } from './groups/device-routes.ts'
import { portGroupGraphRoutes } from './groups/graph-routes.ts'
import { portGroupRoutes } from './groups/port-routes.ts'
import { healthGraphRoutes } from './health/graph-routes.ts'
import { healthRoutes } from './health/routes.ts'
import { hostServiceRoutes } from './host-services/routes.ts'
import { inventoryRoutes } from './inventory/routes.ts'
import { locationRoutes } from './locations/routes.ts'
import { logRoutes } from './logs/routes.ts'
import { logWriteRoutes } from './logs/write-routes.ts'
import { maintenanceRoutes } from './maintenance/routes.ts'
import { pollerRoutes } from './pollers/routes.ts'
import { devicePortRoutes } from './ports/device-routes.ts'
import { portNotesRoutes } from './ports/notes-routes.ts'
import { portRoutes } from './ports/routes.ts'
import { routingRoutes } from './routing/routes.ts'
import { sensorRoutes } from './sensors/routes.ts'
import { arpRoutes } from './switching/arp-routes.ts'
import { deviceSwitchingRoutes } from './switching/device-routes.ts'
import { linkRoutes } from './switching/link-routes.ts'
import { nacRoutes } from './switching/nac-routes.ts'
import { portSwitchingRoutes } from './switching/port-routes.ts'
import { portSecurityRoutes } from './switching/port-security-routes.ts'
import { switchingRoutes } from './switching/resource-routes.ts'
import { systemRoutes } from './system/routes.ts'
import { transceiverRoutes } from './transceivers/routes.ts'
import { wirelessRoutes } from './wireless/routes.ts'

/** All route groups of API v0. `index` returns the path templates of the named routes. */
export const v0Routes = (services: Services, index: () => ReadonlyMap<string, string>) =>
  new Elysia({ name: 'v0', prefix: '/api/v0' })
    .use(systemRoutes(services, index))
    .use(alertRoutes(services))
    .use(alertRuleRoutes(services))
    .use(alertTemplateRoutes(services))
    .use(logRoutes(services))
    .use(logWriteRoutes(services))
    .use(deviceRoutes(services))
    .use(deviceGroupRoutes(services))
    .use(portGroupRoutes(services))
    .use(portGroupGraphRoutes(services))
    .use(devicePortRoutes(services))
    .use(addressRoutes(services))
    .use(healthRoutes(services))
    .use(healthGraphRoutes(services))
    .use(graphRoutes(services))
    .use(billRoutes(services))
    .use(billGraphRoutes(services))
    .use(componentRoutes(services))
    .use(hostServiceRoutes(services))
    .use(inventoryRoutes(services))
    .use(locationRoutes(services))
    .use(maintenanceRoutes(services))
    .use(backupRoutes(services))
    .use(parentRoutes(services))
    .use(pollerRoutes(services))
    .use(arpRoutes(services))
    .use(linkRoutes(services))
    .use(nacRoutes(services))
    .use(portNotesRoutes(services))
    .use(portRoutes(services))
    .use(portSecurityRoutes(services))
    .use(routingRoutes(services))
    .use(sensorRoutes(services))
    .use(deviceSwitchingRoutes(services))
    .use(portSwitchingRoutes(services))
    .use(switchingRoutes(services))
    .use(transceiverRoutes(services))
    .use(wirelessRoutes(services))
