import type { Settings } from '../../../config/schema.ts'
import { SYSTEM } from '../../base/actor.ts'
import { isAcknowledged, isOpen } from '../../base/alert-states.ts'
import { baseUrl } from '../../base/base-url.ts'
import { recordChange } from '../../base/change-audit.ts'
import { signingKey } from '../../base/signing-key.ts'
import type { Store } from '../../database/client.ts'
import { personOfTransport } from '../../on-call/read-on-call.ts'
import type { AlertContext } from '../context.ts'
import type { FaultService } from '../faults/service.ts'
import type { AlertService } from '../service.ts'
import type { OutboxItem } from '../write-outbox.ts'
import { acknowledgeTold } from './acknowledge-told.ts'
import { claimsOf, type LinkClaims, tokenOf } from './token.ts'
import { deleteUse, insertUse, type LinkedAlert, readLinked, readReceiver, readUse } from './write-links.ts'

/** Path at which links are opened without signing in. */
export const LINK_PATH = '/ack'

/** What a link does with one of its alerts. */
export interface LinkTarget extends Pick<LinkedAlert, 'id' | 'device' | 'rule' | 'severity' | 'began'> {
  /** `open`: it can be acknowledged. `ended`: that problem is over. */
  readonly what: 'open' | 'acknowledged' | 'ended'
}

/**
 * What a link is: `refused`: it is not one of ours, or whoever it was sent to no longer exists or may not use it.
 * `expired`. `used`: it was used before. `open`: it can be used if one of its alerts is open.
 */
export type LinkView =
  | { readonly kind: 'refused' | 'expired' }
  | {
      readonly kind: 'open' | 'used'
      /** The person, or the transport, it was sent to. */
      readonly receiver: string
      readonly alerts: readonly LinkTarget[]
      /** Epoch ms. */
      readonly expiresMs: number
      /** When it was used; null: it was not. */
      readonly usedAt: Date | null
    }

const HOUR_S = 3600

/** What a link with this time does with an alert. */
function whatOf({ state, began, meant, later, acknowledged }: LinkedAlert, atS: number): LinkTarget['what'] {
  // whole seconds: a problem of the same second is the one that was told
  if (!isOpen(state) || (began !== null && Math.floor(began / 1000) > atS)) return 'ended'
  if (isAcknowledged(state)) return 'acknowledged'
  if (meant > 0 || later + acknowledged === 0) return 'open'
  return acknowledged > 0 ? 'acknowledged' : 'ended'
}

/**
 * Links in notifications that acknowledge what the notification reports, without signing in: signed, valid for one use and
 * for setting alert.ack_link_hours. Whoever has the notification may use its link, so what is recorded is whom it was sent
 * to. What began after the notification is not acknowledged by it, neither a later problem nor a later fault of the same.
 */
export function createAlertLinks({
  store,
  settings,
  alerts,
  faults,
  now = Date.now,
}: {
  readonly store: Store
  readonly settings: Settings
  readonly alerts: AlertService
  readonly faults: FaultService
  /** Epoch ms. Default: the clock. */
  readonly now?: () => number
}) {
  let key: Uint8Array | null = null
  const loaded = async (): Promise<Uint8Array> => {
    key ??= await signingKey(store, 'acknowledge')
    return key
  }

  /** What a text claims and whom it was sent to; null: it is not valid. */
  async function checked(text: string) {
    const claims = claimsOf(text, await loaded())
    if (claims === null) return null
    const { transport, username, enabled } = (await readReceiver(store, claims.transportId, claims.userId)) ?? {
      ...{ transport: '', username: null, enabled: false },
    }
    return enabled ? { claims, receiver: username ?? `transport ${transport}` } : null
  }

  const targetOf = ({ atS }: LinkClaims, alert: LinkedAlert): LinkTarget => {
    const { id, device, rule, severity, began } = alert
    return { id, device, rule, severity, began, what: whatOf(alert, atS) }
  }

  return {
    /** URL for a notification about open alerts; null: there is none, because of the settings or because nothing is open. */
    async urlOf(
      { id, transport_id: transportId }: Pick<OutboxItem, 'id' | 'transport_id'>,
      context: Pick<AlertContext, 'state' | 'time' | 'alert_id'>,
      alertIds: readonly number[] = [context.alert_id],
    ): Promise<string | null> {
      const base = baseUrl(settings)
      const hours = settings.get('alert.ack_link_hours')
      const isNeeded = isOpen(context.state) && !isAcknowledged(context.state)
      if (hours === 0 || !isNeeded || !/^https?:$/.test(URL.parse(base)?.protocol ?? '')) return null
      const claims = {
        ...{ notificationId: id, alertIds, transportId },
        atS: Math.floor(context.time / 1000),
        expiresS: Math.floor(now() / 1000) + hours * HOUR_S,
        userId: await personOfTransport(store.sql, transportId),
      }
      const token = tokenOf(claims, await loaded())
      return token === null ? null : `${base}${LINK_PATH}/${token}`
    },

    /** What a link would do. Changes nothing, so that scanners of mail may fetch it. Throws StoreError. */
    async look(text: string): Promise<LinkView> {
      const found = await checked(text)
      if (found === null) return { kind: 'refused' }
      const { claims, receiver } = found
      const expiresMs = claims.expiresS * 1000
      if (expiresMs <= now()) return { kind: 'expired' }
      const [linked, use] = await Promise.all([
        readLinked(store, claims.alertIds, claims.atS),
        readUse(store, claims.notificationId),
      ])
      return {
        kind: use === null ? 'open' : 'used',
        receiver,
        expiresMs,
        alerts: linked.map((alert) => targetOf(claims, alert)),
        usedAt: use?.used_at ?? null,
      }
    },

    /**
     * Acknowledges what the link says and returns how many alerts; 0: the link is not valid, was used before, or nothing
     * of it is open. `address`: of the client, for the audit. Throws StoreError; the link can be used again then.
     */
    async use(text: string, address: string): Promise<number> {
      const found = await checked(text)
      if (found === null || found.claims.expiresS * 1000 <= now()) return 0
      const { claims, receiver } = found
      const { notificationId, expiresS } = claims
      const targets = (await readLinked(store, claims.alertIds, claims.atS)).map((alert) => targetOf(claims, alert))
      const open = targets.filter(({ what }) => what === 'open')
      if (open.length === 0) return 0
      if (!(await insertUse(store, { notificationId, usedBy: receiver, usedFrom: address, expiresS }))) return 0
      try {
        let done = 0
        const actor = { ...SYSTEM, username: receiver }
        for (const target of open) if (await acknowledgeTold({ alerts, faults }, actor, target, claims.atS)) done++
        const what = open.map(({ device, rule }) => `${device}: ${rule}`).join(', ')
        const from = address === '' ? '' : ` from ${address}`
        await recordChange(store, actor, 'alert-link', receiver, `Acknowledged by link${from}: ${what}`)
        return done
      } catch (error) {
        await deleteUse(store, notificationId).catch(() => undefined)
        throw error
      }
    },
  }
}

export type AlertLinks = ReturnType<typeof createAlertLinks>
