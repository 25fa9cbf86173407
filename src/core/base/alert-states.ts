/** State of an alert: 0 recovered, 1 active, 2 acknowledged, 3 worse, 4 better, 5 changed (contract BEHAVIOUR.md 9). */
export type AlertState = 0 | 1 | 2 | 3 | 4 | 5

/** Whether the problem of an alert persists, acknowledged or not. */
export const isOpen = (state: number): state is 1 | 2 | 3 | 4 | 5 => state !== 0

/** Whether somebody has acknowledged the problem. */
export const isAcknowledged = (state: number): state is 2 => state === 2

/** States of open alerts that nobody has acknowledged. */
export const WAITING_STATES: readonly AlertState[] = [1, 3, 4, 5]

/** `isOpen` of alerts `a` as SQL. */
export const ALERT_IS_OPEN = 'a.state <> 0'

/** Condition on alerts `a`: open, and not acknowledged. */
export const ALERT_WAITS = `a.state in (${WAITING_STATES.join(', ')})`
