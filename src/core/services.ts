import type { Settings } from '../config/schema.ts'
import type { Log } from '../observe/log.ts'
import { type AdminService, createAdminService } from './access/service.ts'
import { createOidcService, type OidcService } from './access/sign-in/oidc/service.ts'
import { type AuthService, createAuthService } from './access/sign-in/service.ts'
import { createSessionService, type SessionService } from './access/sign-in/sessions.ts'
import { ALONE, type ThrottleExchange } from './access/sign-in/throttle.ts'
import { createTokenService, type TokenService } from './access/tokens/service.ts'
import { createUserService, type UserService } from './access/users/service.ts'
import { notifyAccess } from './access/write.ts'
import { type AlertList, createAlertList } from './alerts/alert-list.ts'
import { createFaultService, type FaultService } from './alerts/faults/service.ts'
import { type AlertLinks, createAlertLinks } from './alerts/links/service.ts'
import { createOperationService, type OperationService } from './alerts/operations/service.ts'
import { createPushService, type PushService } from './alerts/push/service.ts'
import { type AlertPreview, createAlertPreview } from './alerts/rules/preview.ts'
import { type AlertRuleService, createAlertRuleService } from './alerts/rules/service.ts'
import { createRuleTrial, type RuleTrial } from './alerts/rules/try.ts'
import { type AlertService, createAlertService } from './alerts/service.ts'
import { createSignedGraphs, type SignedGraphs } from './alerts/signed-graphs.ts'
import { createTemplatePreview, type TemplatePreviews } from './alerts/templates/preview.ts'
import { type AlertTemplateService, createAlertTemplateService } from './alerts/templates/service.ts'
import { createTransportAdmin, type TransportAdmin } from './alerts/transports/admin.ts'
import { createTransportDirectory, type TransportDirectory } from './alerts/transports/directory.ts'
import { createTransportService, type TransportService } from './alerts/transports/service.ts'
import type { Gateway } from './base/gateway.ts'
import type { Graphs } from './base/graphs.ts'
import { type BillService, createBillService } from './bills/service.ts'
import { type CandidateService, createCandidateService } from './candidates/service.ts'
import { createHostServiceService, type HostServiceService } from './checks/service.ts'
import { type ComponentService, createComponentService } from './components/service.ts'
import { type BackupService, createBackupService } from './config-backups/service.ts'
import type { Store } from './database/client.ts'
import { createDemoService, type DemoService } from './demo/service.ts'
import { checkAttached } from './dependencies/attached.ts'
import { createParentService, type ParentService } from './dependencies/parents.ts'
import { createDeviceLists, type DeviceLists } from './device-lists/service.ts'
import { createOverrideService, type OverrideService } from './devices/overrides.ts'
import { findDevice } from './devices/read.ts'
import { createDeviceService, type DeviceService } from './devices/service.ts'
import { createDeviceGroupService, type DeviceGroupService } from './groups/device-groups.ts'
import { createPortGroupService, type PortGroupService } from './groups/port-groups.ts'
import { createInventoryService, type InventoryService } from './inventory/service.ts'
import { createNetworkService, type NetworkService } from './lists/network-service.ts'
import { createFleetService, type FleetService } from './lists/service.ts'
import { createLiveService, type LiveService } from './live/service.ts'
import { createLocationService, type LocationService } from './locations/service.ts'
import { createLogService, type LogService } from './logs/service.ts'
import { createSyslogService, type SyslogService } from './logs/syslog/service.ts'
import { createMaintenanceService, type MaintenanceService } from './maintenance/service.ts'
import { readSchedules } from './on-call/read-on-call.ts'
import { createOnCallService, type OnCallService } from './on-call/service.ts'
import { createRemotePollerService, type RemotePollerService } from './pollers/remote/service.ts'
import { createPollerService, type PollerService } from './pollers/service.ts'
import { createPortPicker, type PortPicker } from './ports/pick.ts'
import { createPortService, type PortService } from './ports/service.ts'
import { createScanService, type ScanService } from './scans/service.ts'
import { createSecretsService, type SecretsService } from './secrets/service.ts'
import { createSeriesService, type SeriesService } from './series/service.ts'
import { createSettingsService, type SettingsService } from './settings/service.ts'
import { createSightingService, type SightingService } from './sightings/service.ts'
import { createSupportService, type SupportService } from './support/service.ts'
import { createSystemService, type DiskSpace, type SystemService, type Version } from './system/service.ts'

export interface ServiceDeps {
  readonly store: Store
  /** The effective settings of this process. */
  readonly settings: Settings
  readonly gateway: Gateway
  readonly graphs: Graphs
  readonly log: Log
  readonly version: Version
  /** For heavy reads that need not see the latest writes; may be a replica. Default: `store`. */
  readonly reads?: Store
  /** Shares limits on wrong guesses with other processes. Default: there are no others. */
  readonly throttle?: ThrottleExchange
  /** The file system of the database. Default: not known, because it is on another machine. */
  readonly disk?: () => DiskSpace | null
}

/** All operations of the API and the command line. */
export interface Services {
  readonly admin: AdminService
  readonly alerts: AlertService
  readonly faults: FaultService
  readonly alertRules: AlertRuleService
  readonly alertList: AlertList
  /** Links that acknowledge without signing in. */
  readonly alertLinks: AlertLinks
  readonly alertPreview: AlertPreview
  readonly ruleTrial: RuleTrial
  readonly alertTemplates: AlertTemplateService
  /** Who is notified of alerts, and when. */
  readonly operations: OperationService
  readonly templatePreview: TemplatePreviews
  readonly transports: TransportService
  readonly push: PushService
  readonly transportAdmin: TransportAdmin
  readonly transportDirectory: TransportDirectory
  readonly signedGraphs: SignedGraphs
  readonly logs: LogService
  readonly syslog: SyslogService
  readonly auth: AuthService
  readonly sessions: SessionService
  /** Sign-in by OpenID Connect. */
  readonly oidc: OidcService
  readonly devices: DeviceService
  readonly deviceLists: DeviceLists
  readonly deviceGroups: DeviceGroupService
  readonly portGroups: PortGroupService
  readonly inventory: InventoryService
  readonly live: LiveService
  readonly locations: LocationService
  readonly maintenance: MaintenanceService
  /** Who is on call. */
  readonly onCall: OnCallService
  readonly backup: BackupService
  readonly overrides: OverrideService
  readonly parents: ParentService
  readonly pollers: PollerService
  readonly remotePollers: RemotePollerService
  readonly ports: PortService
  readonly portPicker: PortPicker
  readonly bills: BillService
  /** Found devices, and rules about them. */
  readonly candidates: CandidateService
  readonly components: ComponentService
  readonly fleet: FleetService
  readonly network: NetworkService
  readonly hostServices: HostServiceService
  readonly series: SeriesService
  /** Where MAC addresses and IP addresses were seen. */
  readonly sightings: SightingService
  readonly users: UserService
  readonly tokens: TokenService
  readonly demo: DemoService
  readonly settings: SettingsService
  readonly scans: ScanService
  readonly secrets: SecretsService
  readonly support: SupportService
  readonly system: SystemService
  readonly graphs: Graphs
  /** The effective settings, read-only. */
  readonly config: Settings
  readonly log: Log
}

/**
 * Builds the services without opening or starting anything. The composing process must listen for NOTIFY
 * `portlight_access` and then call `auth.forget()` and `sessions.forget()`.
 */
export function createServices({
  store,
  settings,
  gateway,
  graphs,
  log,
  version,
  reads = store,
  throttle = ALONE,
  disk = () => null,
}: ServiceDeps): Services {
  const auth = createAuthService({ store, settings, throttle, log: log.child({ component: 'auth' }) })
  const users = createUserService({ store, settings, throttle, changed: () => changed() })
  const live = createLiveService({ store, settings, log: log.child({ component: 'live' }) })
  const sessions = createSessionService({
    store,
    settings,
    users,
    throttle,
    log: log.child({ component: 'auth' }),
    ended: live.accessChanged,
  })
  const transports = createTransportService({ store, settings, log: log.child({ component: 'alerts' }) })
  const alerts = createAlertService({ store })
  const schedules = () => readSchedules(store.sql, null, Date.now())
  const faults = createFaultService({ store })
  const changed = () => {
    auth.forget()
    sessions.forget()
  }
  const devices = createDeviceService({ store, settings, gateway })
  const deviceGroups = createDeviceGroupService({ store, settings, log: log.child({ component: 'groups' }) })
  const stored = createSettingsService({ store, settings })
  const announce = async () => {
    changed()
    await notifyAccess(store)
  }
  return {
    admin: createAdminService({
      ...{ store, config: settings, settings: stored, users, announce },
      checkSetting: async (name, text) => {
        if (name === 'dependencies.attached') await checkAttached(store, text)
      },
    }),
    faults,
    alerts,
    alertLinks: createAlertLinks({ store, settings, alerts, faults }),
    alertRules: createAlertRuleService({ store, settings, schedules }),
    alertList: createAlertList({ store }),
    ruleTrial: createRuleTrial({ store, settings }),
    alertPreview: createAlertPreview({ store, settings }),
    alertTemplates: createAlertTemplateService({ store }),
    operations: createOperationService({ store, settings, schedules }),
    templatePreview: createTemplatePreview({ store }),
    transports,
    push: createPushService({ store, settings, log: log.child({ component: 'alerts' }) }),
    transportAdmin: createTransportAdmin({ store, transports }),
    transportDirectory: createTransportDirectory({ store, settings, transports }),
    signedGraphs: createSignedGraphs({ store, settings, graphs }),
    logs: createLogService({ store }),
    syslog: createSyslogService({ store, settings }),
    auth,
    sessions,
    oidc: createOidcService({
      store,
      settings,
      throttle,
      log: log.child({ component: 'auth' }),
      users,
      sessions,
      announce,
    }),
    deviceGroups,
    portGroups: createPortGroupService({ store }),
    devices,
    deviceLists: createDeviceLists({ store, devices, groups: deviceGroups }),
    inventory: createInventoryService({ store }),
    live,
    locations: createLocationService({ store }),
    maintenance: createMaintenanceService({ store, settings }),
    onCall: createOnCallService({ store, settings }),
    backup: createBackupService({ store, settings }),
    overrides: createOverrideService({ store, settings, gateway, devices }),
    parents: createParentService({ store, find: (ref) => findDevice(store, ref) }),
    pollers: createPollerService({ store, settings }),
    remotePollers: createRemotePollerService({ store }),
    ports: createPortService({ store, gateway }),
    portPicker: createPortPicker({ store }),
    bills: createBillService({ store, settings, graphs }),
    candidates: createCandidateService({ store, settings, gateway, devices, groups: deviceGroups, stored }),
    components: createComponentService({ store }),
    fleet: createFleetService({ store }),
    network: createNetworkService({ store }),
    hostServices: createHostServiceService({ store, settings, graphs }),
    series: createSeriesService({ store, reads, settings }),
    sightings: createSightingService({ store }),
    users,
    tokens: createTokenService({ store, changed }),
    demo: createDemoService({ store, gateway, stored, changed }),
    settings: stored,
    scans: createScanService({ store, settings }),
    secrets: createSecretsService({ store }),
    support: createSupportService({ store, settings }),
    system: createSystemService({ store, version, disk }),
    graphs,
    config: settings,
    log,
  }
}
