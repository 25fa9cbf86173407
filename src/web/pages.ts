import type { Page } from './page.ts'
import { aboutPage } from './pages/about/page.tsx'
import { accountPage } from './pages/account/page.tsx'
import { addDevicePage } from './pages/add-device/page.tsx'
import { addDevicesPage } from './pages/add-devices/page.tsx'
import { newRulePage, rulePage } from './pages/alert-rules/edit.tsx'
import { alertRulesPage } from './pages/alert-rules/list.tsx'
import { alertTemplatesPage } from './pages/alert-templates/page.tsx'
import { alertTransportsPage } from './pages/alert-transports/page.tsx'
import { alertPage } from './pages/alerts/alert.tsx'
import { alertsPage } from './pages/alerts/current.tsx'
import { alertHistoryPage } from './pages/alerts/history.tsx'
import { apiAccessPage } from './pages/api-access/page.tsx'
import { bgpPage } from './pages/bgp/page.tsx'
import { billsPage } from './pages/bills/list.tsx'
import { newBillPage } from './pages/bills/new.tsx'
import { billPage } from './pages/bills/page.tsx'
import { devicePages } from './pages/device/page.tsx'
import { devicesPage } from './pages/devices/page.tsx'
import { discoveredPage } from './pages/discovered/page.tsx'
import { groupsPage } from './pages/groups/list.tsx'
import { groupPage, newGroupPage } from './pages/groups/page.tsx'
import { newPortGroupPage, portGroupPage } from './pages/groups/port-groups.tsx'
import { healthPage, wirelessPage } from './pages/health/list.tsx'
import { locationsPage } from './pages/locations/page.tsx'
import { logPages } from './pages/logs/page.tsx'
import { maintenancePage } from './pages/maintenance/page.tsx'
import { overviewPage } from './pages/overview/page.tsx'
import { pollerGroupsPage } from './pages/pollers/groups.tsx'
import { pollersPage } from './pages/pollers/page.tsx'
import { portPage } from './pages/port/page.tsx'
import { portsPage } from './pages/ports/page.tsx'
import { topPortsPage } from './pages/ports/top.tsx'
import { routingPage } from './pages/routing/page.tsx'
import { searchPage } from './pages/search/page.tsx'
import { servicesPage } from './pages/services/list.tsx'
import { newServicePage } from './pages/services/new.tsx'
import { servicePage } from './pages/services/page.tsx'
import { auditPage } from './pages/settings/audit.tsx'
import { settingsPage } from './pages/settings/page.tsx'
import { rolesPage } from './pages/settings/roles.tsx'
import { usersPage } from './pages/settings/users.tsx'
import { topologyPage } from './pages/topology/page.tsx'

/** All pages. The navigation, the routes, and the tests of access and markup are derived from this table. */
export const PAGES: readonly Page[] = [
  overviewPage,
  alertsPage,
  alertHistoryPage,
  alertRulesPage,
  newRulePage,
  rulePage,
  alertTemplatesPage,
  alertTransportsPage,
  alertPage,
  devicesPage,
  addDevicePage,
  addDevicesPage,
  ...devicePages,
  portPage,
  searchPage,
  accountPage,
  settingsPage,
  usersPage,
  rolesPage,
  auditPage,
  apiAccessPage,
  aboutPage,
  pollersPage,
  pollerGroupsPage,
  maintenancePage,
  portsPage,
  topPortsPage,
  topologyPage,
  healthPage,
  routingPage,
  bgpPage,
  wirelessPage,
  discoveredPage,
  locationsPage,
  billsPage,
  newBillPage,
  billPage,
  servicesPage,
  newServicePage,
  servicePage,
  ...logPages,
  groupsPage,
  newGroupPage,
  groupPage,
  newPortGroupPage,
  portGroupPage,
]
