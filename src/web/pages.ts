import type { Page } from './page.ts'
import { accountPage } from './pages/account/page.tsx'
import { newRulePage, rulePage } from './pages/alert-rules/edit.tsx'
import { alertRulesPage } from './pages/alert-rules/list.tsx'
import { alertTemplatesPage } from './pages/alert-templates/page.tsx'
import { alertTransportsPage } from './pages/alert-transports/page.tsx'
import { alertPage } from './pages/alerts/alert.tsx'
import { alertsPage } from './pages/alerts/current.tsx'
import { alertHistoryPage } from './pages/alerts/history.tsx'
import { devicePages } from './pages/device/page.tsx'
import { devicesPage } from './pages/devices/page.tsx'
import { overviewPage } from './pages/overview/page.tsx'
import { portPage } from './pages/port/page.tsx'
import { searchPage } from './pages/search/page.tsx'

/** Every page. The navigation, the routes and the tests of access and markup are derived from this table. */
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
  ...devicePages,
  portPage,
  searchPage,
  accountPage,
]
