import type { SettingsHolder } from '../config/settings.ts'
import type { Gateway } from '../core/base/gateway.ts'
import type { Store } from '../core/database/client.ts'
import type { AskHosts } from '../core/scans/scan.ts'
import type { Log } from '../observe/log.ts'

export interface ServeOptions {
  readonly settings: SettingsHolder
  /** Absolute path of the data folder. */
  readonly dataDir: string
  readonly log: Log
  /** Also start the simulated fleet. */
  readonly demo: boolean
  /** Of the demo's fleet, for tests: how far its clock is ahead, and for how long everything has power at first, ms. */
  readonly demoClock?: { readonly aheadMs?: number; readonly graceMs?: number }
  /** Called with the number of demo devices whose history is stored. */
  readonly demoProgress?: (done: number, devices: number) => void
  readonly version: string
  /** Commit of the program and its date; '' if unknown. Absent: unknown. */
  readonly build?: { readonly revision: string; readonly builtAt: string }
}

/** File in the data folder that keeps the token of `serve --demo`. */
export const DEMO_TOKEN_FILE = 'demo-token'

/** What `serve --demo` adds to a running program. */
export interface RunningDemo {
  /** A read-only token; null if the API listens beyond loopback or the token could not be created. */
  readonly token: string | null
  readonly devices: number
  /** Whether devices of the user's own are monitored as well. */
  readonly others: boolean
  /** Path of a sample graph, without a token. */
  readonly graph: string
  /** Resolves when the graph has data; false: the history of its device could not be stored. Never rejects. */
  readonly graphReady: Promise<boolean>
  /** Resolves when the history of all devices without one is stored. Never rejects. */
  readonly history: Promise<{ readonly devices: number; readonly samples: number; readonly seconds: number }>
}

/** The running program. */
export interface Running {
  /** Where the API answers, for example `http://127.0.0.1:8000`. */
  readonly url: string
  /** Name of this process among those that share its database, and its roles. */
  readonly name: string
  readonly roles: readonly string[]
  /** Password of the user `admin` when this start created it, else null. */
  readonly adminPassword: string | null
  /** Names of the alert rules that the first start of a new installation stored. */
  readonly initialRules: readonly string[]
  /** Null without the demo. */
  readonly demo: RunningDemo | null
  /** Rejects when a component failed permanently and the process should end; otherwise stays pending. */
  readonly failure: Promise<never>
  /** Drains and stops everything, child processes included. */
  stop(): Promise<void>
  /** Stops waiting for requests and polls during a stop: they are aborted. The database is still stopped cleanly. */
  hurry(): void
}

/** A poller opened by a command: single runs, no schedule. */
export interface CommandPoller extends Pick<Gateway, 'resolve' | 'ping' | 'probe' | 'identify' | 'discover' | 'poll'> {
  /** Stores what it has read, for at most `graceMs`, and closes its sockets. */
  stop(graceMs: number): Promise<void>
}

/** Result of a service check that a command ran. */
export interface ServiceCheckReport {
  /** What was run: a command line, or the built-in check and its parameters. */
  readonly ran: string
  /** 0 ok, 1 warning, 2 critical, 3 unknown. */
  readonly status: number
  readonly message: string
  /** Values measured; null: unknown. */
  readonly values: readonly { readonly label: string; readonly value: number | null; readonly unit: string }[]
  readonly tookMs: number
}

/** What the command line needs from `src/app/server.ts`, which implements it. */
export interface Composition {
  compose(options: ServeOptions): Promise<Running>
  /** Starts a poller without a database (`serve --role remote-poller`). */
  composeRemotePoller(options: ServeOptions): Promise<Running>
  /** Opens a poller without a schedule in this process. */
  openPoller(options: { store: Store; settings: SettingsHolder; dataDir: string; log: Log }): Promise<CommandPoller>
  /** Opens a scanner in this process; its thread starts when it is first used. */
  openScanner(options: { store: Store; settings: SettingsHolder; log: Log }): { readonly ask: AskHosts; close(): void }
  /** Tries to draw. Resolves to why that fails, in one sentence; null: it does not. */
  checkGraphs(dataDir: string): Promise<string | null>
  /** How processes of this user send echo requests, in words; null: they cannot. */
  checkPings(): Promise<string | null>
  /** Checks a service now and stores nothing. Null: there is no such service. */
  checkService(
    options: { store: Store; settings: SettingsHolder },
    serviceId: number,
  ): Promise<ServiceCheckReport | null>
}

/** Imports the composition on demand, because it imports everything. */
export type LoadComposition = () => Promise<Composition>
