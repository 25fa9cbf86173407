import { Command } from 'commander'
import type { LoadComposition } from './app.ts'
import { registerBackup } from './commands/backup.ts'
import { registerBill } from './commands/bill.ts'
import { registerCandidate } from './commands/candidate.ts'
import { registerCluster } from './commands/cluster.ts'
import { registerCompletion } from './commands/completion.ts'
import { registerConfig } from './commands/config.ts'
import { registerDatabase } from './commands/database.ts'
import { registerDefinitions } from './commands/definitions.ts'
import { registerDemo } from './commands/demo.ts'
import { registerDevice } from './commands/device.ts'
import { registerDoctor } from './commands/doctor.ts'
import { registerExport } from './commands/export.ts'
import { registerFault } from './commands/fault.ts'
import { registerGrafana } from './commands/grafana.ts'
import { registerGroup } from './commands/group.ts'
import { registerHealth } from './commands/health.ts'
import { registerImport } from './commands/import.ts'
import { registerLocation } from './commands/location.ts'
import { registerMaintenance } from './commands/maintenance.ts'
import { registerMigrate } from './commands/migrate.ts'
import { registerMoveDatabase } from './commands/move-database.ts'
import { registerOnCall } from './commands/on-call.ts'
import { registerPollerGroup } from './commands/poller-group.ts'
import { registerRemotePoller } from './commands/remote-poller.ts'
import { registerRestore } from './commands/restore.ts'
import { registerRole } from './commands/role.ts'
import { registerRule } from './commands/rule.ts'
import { registerScan } from './commands/scan.ts'
import { registerSecrets } from './commands/secrets.ts'
import { registerSensor } from './commands/sensor.ts'
import { registerServe } from './commands/serve.ts'
import { registerService } from './commands/service.ts'
import { registerSystemd } from './commands/systemd.ts'
import { registerToken } from './commands/token.ts'
import { registerTransport } from './commands/transport.ts'
import { registerUpgradeDatabase } from './commands/upgrade-database.ts'
import { registerUser } from './commands/user.ts'
import { registerVersion } from './commands/version.ts'
import { addGlobalOptions } from './globals.ts'
import { registerSnmp } from './snmp.ts'
import { explainErrors } from './usage-errors.ts'

/**
 * The command tree. Registering is cheap: commands import what they need when they run. The reference page and the shell
 * completions are derived from this tree.
 */
export function buildProgram(load: LoadComposition): Command {
  const program = new Command('portlight')
    .description('Network monitor: SNMP discovery and polling, time series in PostgreSQL, an HTTP API, PNG graphs.')
    .configureHelp({ showGlobalOptions: true, sortSubcommands: false })
    .showSuggestionAfterError()
  addGlobalOptions(program)
  registerServe(program, load)
  registerHealth(program)
  registerMigrate(program, load)
  registerDoctor(program, load)
  registerDatabase(program, load)
  registerUser(program, load)
  registerRole(program, load)
  registerToken(program, load)
  registerConfig(program, load)
  registerSecrets(program, load)
  registerDefinitions(program)
  registerDemo(program, load)
  registerDevice(program, load)
  registerScan(program, load)
  registerGroup(program, load)
  registerCandidate(program, load)
  registerLocation(program, load)
  registerBill(program, load)
  registerMaintenance(program, load)
  registerOnCall(program, load)
  registerSensor(program, load)
  registerRule(program, load)
  registerFault(program, load)
  registerTransport(program, load)
  registerService(program, load)
  registerGrafana(program, load)
  registerImport(program, load)
  registerExport(program, load)
  registerBackup(program)
  registerRestore(program)
  registerMoveDatabase(program)
  registerUpgradeDatabase(program)
  registerCluster(program, load)
  registerPollerGroup(program, load)
  registerRemotePoller(program, load)
  registerSnmp(program)
  registerSystemd(program)
  registerCompletion(program)
  registerVersion(program)
  explainErrors(program)
  return program
}
