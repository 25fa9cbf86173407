import type { SettingsHolder } from '../config/settings.ts'
import type { Gateway } from '../domain/gateway.ts'
import type { Log } from '../observe/log.ts'
import type { Store } from '../store/client.ts'

export interface ServeOptions {
  readonly settings: SettingsHolder
  /** Absolute path of the data folder. */
  readonly dataDir: string
  readonly log: Log
  /** Start the simulated fleet as well. */
  readonly demo: boolean
  readonly version: string
}

/** The whole program, running. */
export interface Running {
  /** Where the API answers, for example `http://127.0.0.1:8000`. */
  readonly url: string
  /** Password of the user `admin` when this start created it, else null. */
  readonly adminPassword: string | null
  /** Rejects when a component failed for good, so that the process should end; otherwise stays pending. */
  readonly failure: Promise<never>
  /** Drains and stops everything, child processes included. */
  stop(): Promise<void>
}

/** The poller as a command sees it: the running server's, or one in this process when no server runs. */
export interface CommandGateway extends Gateway {
  /** Resolves when what `refresh` announced has been told and everything opened is closed. */
  close(): Promise<void>
}

/** What the command line needs of the part that knows every component. Implemented by `src/compose.ts`. */
export interface Composition {
  compose(options: ServeOptions): Promise<Running>
  openGateway(options: { store: Store; settings: SettingsHolder; log: Log }): Promise<CommandGateway>
}

/** Imports it when a command needs it: it draws in everything. */
export type LoadComposition = () => Promise<Composition>
