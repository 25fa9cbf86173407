import type { Page } from './page.ts'
import { aboutPage } from './pages/about/page.tsx'
import { accountPage } from './pages/account/page.tsx'
import { addDevicePage } from './pages/add-device/form.tsx'
import { addDevicesPage } from './pages/add-devices/form.tsx'
import { newOperationPage, operationPage } from './pages/alert-operations/form.tsx'
import { operationsPage } from './pages/alert-operations/list.tsx'
import { newRulePage, rulePage } from './pages/alert-rules/form.tsx'
import { alertRulesPage } from './pages/alert-rules/list.tsx'
import { alertTemplatesPage } from './pages/alert-templates/list.tsx'
import { alertTransportsPage } from './pages/alert-transports/list.tsx'
import { alertPage } from './pages/alerts/detail.tsx'
import { alertHistoryPage } from './pages/alerts/history.tsx'
import { alertsPage } from './pages/alerts/list.tsx'
import { apiAccessPage } from './pages/api-access/list.tsx'
import { bgpPage } from './pages/bgp/detail.tsx'
import { billPage } from './pages/bills/detail.tsx'
import { newBillPage } from './pages/bills/form.tsx'
import { billsPage } from './pages/bills/list.tsx'
import { databasePage } from './pages/database/page.tsx'
import { devicePages } from './pages/device/detail.tsx'
import { devicesPage } from './pages/devices/list.tsx'
import { discoveredPage } from './pages/discovered/list.tsx'
import { faultPage } from './pages/faults/detail.tsx'
import { firstRunPage } from './pages/first-run/page.tsx'
import { acceptPage } from './pages/found/accept.tsx'
import { foundPage } from './pages/found/list.tsx'
import { candidateRulesPage } from './pages/found/rules.tsx'
import { groupPage, newGroupPage } from './pages/groups/detail.tsx'
import { groupsPage } from './pages/groups/list.tsx'
import { newPortGroupPage, portGroupPage } from './pages/groups/port-groups.tsx'
import { healthPage, wirelessPage } from './pages/health/list.tsx'
import { helpDetailPage } from './pages/help/detail.tsx'
import { helpPage } from './pages/help/page.tsx'
import { locationsPage } from './pages/locations/list.tsx'
import { logPages } from './pages/logs/list.tsx'
import { macPage } from './pages/mac/detail.tsx'
import { maintenancePage } from './pages/maintenance/list.tsx'
import { onCallSchedulePage } from './pages/on-call/detail.tsx'
import { editOnCallPage, newOnCallPage } from './pages/on-call/form.tsx'
import { onCallPage } from './pages/on-call/list.tsx'
import { onCallMePage, onCallPeoplePage, onCallPersonPage } from './pages/on-call/people.tsx'
import { overviewPage } from './pages/overview/page.tsx'
import { pollerGroupsPage } from './pages/pollers/groups.tsx'
import { pollersPage } from './pages/pollers/page.tsx'
import { portPage } from './pages/port/detail.tsx'
import { portsPage } from './pages/ports/list.tsx'
import { topPortsPage } from './pages/ports/top.tsx'
import { routingPage } from './pages/routing/list.tsx'
import { scanPage } from './pages/scans/detail.tsx'
import { scansPage } from './pages/scans/list.tsx'
import { searchPage } from './pages/search/page.tsx'
import { servicePage } from './pages/services/detail.tsx'
import { newServicePage } from './pages/services/form.tsx'
import { servicesPage } from './pages/services/list.tsx'
import { auditPage } from './pages/settings/audit.tsx'
import { settingsPage } from './pages/settings/page.tsx'
import { rolesPage } from './pages/settings/roles.tsx'
import { usersPage } from './pages/settings/users/list.tsx'
import { sightingsPage } from './pages/sightings/list.tsx'
import { topologyPage } from './pages/topology/page.tsx'

/** All pages. The navigation, the routes, and the tests of access and markup are derived from this table. */
export const PAGES: readonly Page[] = [
  overviewPage,
  alertsPage,
  alertHistoryPage,
  alertRulesPage,
  newRulePage,
  rulePage,
  operationsPage,
  newOperationPage,
  operationPage,
  alertTemplatesPage,
  alertTransportsPage,
  onCallPage,
  newOnCallPage,
  onCallPeoplePage,
  onCallPersonPage,
  onCallMePage,
  onCallSchedulePage,
  editOnCallPage,
  alertPage,
  faultPage,
  devicesPage,
  addDevicePage,
  addDevicesPage,
  foundPage,
  acceptPage,
  candidateRulesPage,
  scansPage,
  scanPage,
  firstRunPage,
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
  helpPage,
  helpDetailPage,
  pollersPage,
  pollerGroupsPage,
  databasePage,
  maintenancePage,
  portsPage,
  topPortsPage,
  topologyPage,
  healthPage,
  routingPage,
  bgpPage,
  macPage,
  sightingsPage,
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
