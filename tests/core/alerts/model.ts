/** A thing that is wrong, as a person who knows the rules would keep it on paper. */
export interface ModelFault {
  readonly since: number
  told: boolean
  /** Its beginning, or that it is active again, is still to be said. */
  speaks: boolean
  /** null: not acknowledged. `count`: faults of the alert at that time; null: unknown. */
  acknowledged: { readonly until: 'clear' | 'worse'; readonly count: number | null } | null
}

/** A small model of an alert: its states as LibreNMS has them, and its faults, which are notified. */
export interface ModelAlert {
  readonly delayMs: number
  readonly inverted: boolean
  state: number
  open: boolean
  heard: boolean
  began: number
  untilClear: boolean
  /** Counts the problems. */
  problem: number
  /** By thing. null: it was imported, and its faults are not known yet; `unknown` stands for them. */
  faults: Map<number, ModelFault> | null
  unknown: ModelFault
  sent: string[]
}

export function modelAlert(of: Partial<ModelAlert> & Pick<ModelAlert, 'delayMs'>): ModelAlert {
  return {
    inverted: false,
    state: 0,
    open: false,
    heard: false,
    began: 0,
    untilClear: true,
    problem: 0,
    faults: new Map(),
    unknown: { since: 0, told: false, speaks: false, acknowledged: null },
    sent: [],
    ...of,
  }
}

const KINDS: Readonly<Record<string, string>> = { '10': 'alert', '11': 'changed' }

/** What a round of the engine makes of an alert whose rule finds these things at one time, ms. */
export function modelRound(alert: ModelAlert, found: ReadonlySet<number>, now: number): void {
  if (alert.state === 2 && alert.open) {
    const known = alert.faults === null ? alert.unknown.told : [...alert.faults.values()].some(({ told }) => told)
    if (known) alert.sent.push('ack')
    alert.open = false
  }
  const before = alert.state
  const [had, names] = [alert.faults ?? new Map([[-1, alert.unknown]]), alert.faults]
  rollUp(alert, names === null ? null : new Set(names.keys()), found, now)
  const ended: ModelFault[] = []
  const faults = new Map<number, ModelFault>()
  for (const [thing, fault] of had) {
    if (found.has(thing)) faults.set(thing, fault)
    else if (names !== null || found.size === 0) ended.push(fault)
  }
  for (const thing of found) {
    if (faults.has(thing)) continue
    faults.set(thing, names === null && had.size > 0 && before !== 0 ? { ...alert.unknown } : begun(now))
  }
  alert.faults = faults
  passAcknowledgements(faults, before === 2 && alert.state !== 2 && alert.state !== 0)
  speak(alert, faults, ended.filter(({ told }) => told).length, had, now)
}

const begun = (now: number): ModelFault => ({ since: now, told: false, speaks: true, acknowledged: null })

function passAcknowledgements(faults: ReadonlyMap<number, ModelFault>, reopened: boolean): void {
  for (const fault of faults.values()) {
    if (fault.acknowledged?.until !== 'worse') continue
    const { count } = fault.acknowledged
    if (reopened || (count !== null && faults.size > count)) Object.assign(fault, { acknowledged: null, speaks: true })
  }
}

function speak(
  alert: ModelAlert,
  faults: ReadonlyMap<number, ModelFault>,
  over: number,
  had: ReadonlyMap<number, ModelFault>,
  now: number,
): void {
  const known = [...had.values()].filter(({ told }) => told).length
  const began = [...faults.values()].filter(
    ({ told, speaks, since, acknowledged }) =>
      speaks && acknowledged === null && (told || now >= since + alert.delayMs),
  )
  const news = began.filter(({ told }) => !told).length
  for (const fault of began) Object.assign(fault, { told: true, speaks: false })
  if (began.length > 0 && over === 0 && known > 0 && news > 0) alert.sent.push('worse')
  else if (began.length > 0) alert.sent.push(KINDS[`1${over > 0 ? 1 : 0}`] ?? '')
  else if (over > 0) alert.sent.push([...faults.values()].some(({ told }) => told) ? 'better' : 'recovery')
}

/** The states of the alert, whatever is notified. */
function rollUp(alert: ModelAlert, before: ReadonlySet<number> | null, faults: ReadonlySet<number>, now: number): void {
  if (alert.state === 0) {
    if (faults.size === 0) return
    const problem = alert.problem + 1
    Object.assign(alert, { state: 1, began: now, open: true, heard: false, untilClear: true, problem })
  } else if (faults.size === 0) {
    Object.assign(alert, { state: 0, heard: false, open: false })
    return
  } else if (before !== null && !alert.inverted && !alert.open && !(alert.state === 2 && alert.untilClear)) {
    const more = [...faults].some((fault) => !before.has(fault))
    const fewer = [...before].some((fault) => !faults.has(fault))
    if (more || fewer) Object.assign(alert, { state: more && fewer ? 5 : more ? 3 : 4, open: true })
  }
  if (alert.state === 2 || !alert.open) return
  if (!alert.heard && now < alert.began + alert.delayMs) return
  Object.assign(alert, { heard: true, open: false })
}

/** Somebody acknowledges the alert as a whole. */
export function modelAcknowledged(alert: ModelAlert, untilClear: boolean): void {
  if (alert.state === 0) return
  if (alert.state !== 2) Object.assign(alert, { state: 2, open: true })
  alert.untilClear = untilClear
  const until = untilClear ? 'clear' : 'worse'
  if (alert.faults === null) alert.unknown.acknowledged = { until, count: null }
  for (const fault of alert.faults?.values() ?? []) fault.acknowledged = { until, count: alert.faults?.size ?? null }
}

/** Somebody makes an acknowledged alert active again. */
export function modelUnmuted(alert: ModelAlert): void {
  if (alert.state !== 2) return
  Object.assign(alert, { state: 1, open: true })
  const faults = alert.faults === null ? [alert.unknown] : alert.faults.values()
  for (const fault of faults)
    if (fault.acknowledged !== null) Object.assign(fault, { acknowledged: null, speaks: true })
}
