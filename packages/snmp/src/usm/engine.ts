/** State of an authoritative engine (RFC 3414 §2.3): its engineID and our notion of its clock. Plain data. */
export interface EngineState {
  readonly engineID: Uint8Array
  /** snmpEngineBoots. */
  boots: number
  /** Latest snmpEngineTime received, seconds. */
  time: number
  /** Our clock when `time` was received, milliseconds. */
  atMs: number
}

/** Seconds by which clocks may differ (RFC 3414 §2.2.3). */
const TIME_WINDOW_S = 150
const MAX_BOOTS = 2 ** 31 - 1

/** snmpEngineTime for a request sent now. */
export function engineTime(engine: EngineState, nowMs: number): number {
  return Math.min(MAX_BOOTS, engine.time + Math.max(0, Math.floor((nowMs - engine.atMs) / 1000)))
}

/** Adopts boots and time of an authenticated message when they are later than ours (RFC 3414 §3.2, 7 b). */
export function advance(engine: EngineState, boots: number, time: number, nowMs: number): void {
  if (boots > engine.boots || (boots === engine.boots && time >= engine.time)) {
    engine.boots = boots
    engine.time = time
    engine.atMs = nowMs
  }
}

/** True when an authenticated message is not from the past (RFC 3414 §3.2, 7 b 2); call it before `advance`. */
export function timely(engine: EngineState, boots: number, time: number, nowMs: number): boolean {
  if (engine.boots === MAX_BOOTS || boots < engine.boots) return false
  return boots > engine.boots || time >= engineTime(engine, nowMs) - TIME_WINDOW_S
}
