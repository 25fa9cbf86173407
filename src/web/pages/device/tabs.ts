import type { Tab } from './tab.ts'
import { alertsTab } from './tabs/alerts.tsx'
import { captureTab } from './tabs/capture.tsx'
import { editTab } from './tabs/edit.tsx'
import { fdbTab } from './tabs/fdb.tsx'
import { foundTabs } from './tabs/found.tsx'
import { graphsTab } from './tabs/graphs.tsx'
import { healthTab } from './tabs/health.tsx'
import { inventoryTab } from './tabs/inventory.tsx'
import { logsTab } from './tabs/logs.tsx'
import { neighboursTab } from './tabs/neighbours.tsx'
import { portsTab } from './tabs/ports.tsx'
import { routingTab } from './tabs/routing.tsx'
import { servicesTab } from './tabs/services.tsx'
import { summaryTab } from './tabs/summary.tsx'
import { vlansTab } from './tabs/vlans.tsx'

/** Tabs of a device, in their order. */
export const TABS: readonly Tab[] = [
  summaryTab,
  portsTab,
  healthTab,
  graphsTab,
  neighboursTab,
  vlansTab,
  fdbTab,
  routingTab,
  inventoryTab,
  ...foundTabs,
  servicesTab,
  alertsTab,
  logsTab,
  captureTab,
  editTab,
]
