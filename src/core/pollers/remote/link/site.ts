import type { Settings } from '../../../../config/schema.ts'
import { type SiteKey, sharedSecret } from '../../../../lib/site-keys.ts'
import { steadyNow } from '../../../../lib/steady.ts'
import type { Log } from '../../../../observe/log.ts'
import type { DevicePoll } from '../../../../series/samples.ts'
import type { ContactElsewhere, RunSummary } from '../../../base/gateway.ts'
import type { Store } from '../../../database/client.ts'
import type { EventBudget } from '../../../discovery/event-budget.ts'
import { sightingLimits } from '../../../sightings/sighting.ts'
import { refused, type Verb } from '../../owner.ts'
import type { RemotePollerRow, SiteLoad } from '../read.ts'
import { writeRemoteReport } from '../write.ts'
import { type Nats, reasonOf } from './connection.ts'
import { decodeContact } from './contact-codec.ts'
import type { DefinitionsBundle } from './definitions.ts'
import type { SiteView } from './metrics.ts'
import { createPlanPublisher, type PlanPublisher } from './plan-publisher.ts'
import { askSite, type SiteStatus } from './requests.ts'
import { createSeal, type Seal } from './seal.ts'
import { sentSettings } from './sent-settings.ts'
import { loadBetween, type SiteWork, statusOf, workOf } from './site-load.ts'
import { createSiteReader, type SiteReader, type StreamState } from './site-reader.ts'

export interface SitesOptions {
  readonly store: Store
  readonly settings: Settings
  readonly log: Log
  /** Definitions added at the centre; null: none. */
  readonly definitions: () => DefinitionsBundle | null
  /** Limits the events of changes on devices. */
  readonly budget: EventBudget
  readonly written: (deviceIds: readonly number[], what: readonly string[]) => void
  readonly polled: (polls: readonly DevicePoll[]) => void
}

/** A remote poller, as the centre serves it. */
export interface Site {
  readonly row: RemotePollerRow
  readonly nats: Nats
  readonly seal: Seal
  readonly reader: SiteReader
  readonly publisher: PlanPublisher
  stream: StreamState | null
  status: SiteStatus | null
  /** Its work up to its last answer, and the load per minute that follows from it. */
  work: { readonly at: number; readonly work: SiteWork } | null
  load: SiteLoad | null
}

const ANSWER_MS = 5000
/** How long contacting a device from its site may take, ms. */
const CONTACT_MS = 30_000
/** How long a run at a site may take beyond its own deadline until its results are stored, ms. */
const GRACE_MS = 30_000

/** Begins to publish its plans and to store what it delivers. Throws if its key cannot be used. */
export function openSite(o: SitesOptions, nats: Nats, own: SiteKey, row: RemotePollerRow): Site {
  const { store, settings, log } = o
  const seal = createSeal(sharedSecret(own, row.public_key), row.name)
  const publisher = createPlanPublisher({
    ...{ nats, store, poller: row, seal, log },
    settings: () => sentSettings(settings),
    definitions: o.definitions,
  })
  const reader = createSiteReader({
    ...{ nats, store, poller: row, seal, log, budget: o.budget, polled: o.polled },
    sightings: () => sightingLimits(settings),
    considerMaintenance: () => settings.get('graphing.availability_consider_maintenance'),
    written(deviceIds, what) {
      if (what.includes('discovered')) for (const id of deviceIds) publisher.refresh(id)
      o.written(deviceIds, what)
    },
  })
  log.info({ poller: row.name, group: row.group_name, devices: row.devices }, 'serving remote poller')
  return { row, nats, seal, publisher, reader, stream: null, status: null, work: null, load: null }
}

export async function closeSite({ reader, publisher }: Site): Promise<void> {
  await Promise.all([reader.stop(), publisher.stop()])
}

/** Asks for the state of the poller and of its stream, and stores both. Throws StoreError. */
export async function reportSite(store: Store, site: Site): Promise<void> {
  const { row, nats, seal } = site
  const [stream, answer] = await Promise.all([
    site.reader.stream(),
    askSite(nats.connection, seal, row.name, { verb: 'status' }, ANSWER_MS).catch(() => null),
  ])
  site.stream = stream
  const before = site.status
  site.status = answer !== null && 'status' in answer ? statusOf(answer.status) : null
  const work = workOf(site.status?.work)
  const now = work === null ? null : { at: steadyNow(), work }
  site.load = now === null ? null : loadBetween(site.work, now)
  site.work = now
  const shown = site.status ?? before
  await writeRemoteReport(store, row.id, {
    version: shown?.version ?? '',
    answers: site.status !== null,
    devices: shown?.devices ?? 0,
    late: shown?.late ?? 0,
    refused: shown?.refused ?? 0,
    rows: shown?.rows ?? 0,
    load: site.load,
    // a site that does not answer has not moved
    place: shown === null ? row.report?.place : shown.place,
    waiting: stream?.messages ?? 0,
    waitingOctets: stream?.octets ?? 0,
    lagS: lagOf(site),
  })
}

/** The site as the metrics show it. */
export function viewOf(site: Site): SiteView {
  return {
    name: site.row.name,
    reader: site.reader.stats(),
    stream: site.stream,
    lagS: lagOf(site),
    answers: site.status !== null,
    status: site.status,
    work: site.work?.work ?? null,
  }
}

function lagOf({ reader, stream, row }: Site): number {
  if (stream !== null) return stream.lagS
  const last = reader.stats().storedAt ?? row.measured_at?.getTime() ?? null
  return last === null ? 0 : (Date.now() - last) / 1000
}

/** Runs at the site and waits until the results are stored. `allowedMs`: how long the run itself may take. */
export async function runAtSite(
  { nats, seal, row: { name }, reader }: Site,
  verb: Verb,
  deviceId: number,
  allowedMs: number,
  log: Log,
): Promise<RunSummary> {
  const deadline = steadyNow() + allowedMs + GRACE_MS
  try {
    const answer = await askSite(nats.connection, seal, name, { verb, deviceId }, deadline - steadyNow())
    if (!('run' in answer))
      return refused('error' in answer ? answer.error : 'the remote poller gave an unexpected answer')
    const stored = await reader.reached(answer.run.after, Math.max(0, deadline - steadyNow()))
    if (!stored) log.warn({ poller: name, deviceId }, 'the results of a run have not arrived yet')
    return answer.run.summary
  } catch (error) {
    return refused(reasonOf(error))
  }
}

/** Contacts a device from the site. Never throws. */
export async function contactFromSite(
  { nats, seal, row: { name: by } }: Site,
  deviceId: number,
): Promise<ContactElsewhere> {
  try {
    const answer = await askSite(nats.connection, seal, by, { verb: 'contact', deviceId }, CONTACT_MS)
    if ('error' in answer) return { by, result: answer.error }
    const contact = 'contact' in answer ? decodeContact(answer.contact) : null
    return { by, result: contact ?? 'it gave an unexpected answer' }
  } catch (error) {
    return { by, result: reasonOf(error) }
  }
}
