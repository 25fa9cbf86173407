import { type Curve, windows } from '../curve.ts'
import { type Motion, parameters, waveOf } from '../curves.ts'
import type { Instant } from '../instant.ts'
import { reading } from '../traffic.ts'
import { lineOf, type Story } from './story.ts'

/** Percent of charge used per minute on battery, and regained per minute on mains. */
const DISCHARGE_PER_MIN = 3.4
const RECHARGE_PER_MIN = 2.1
/** upsAlarmOnBattery of UPS-MIB. */
const ON_BATTERY = '1.3.6.1.2.1.33.1.6.3.2'

/**
 * A single-phase 3 kVA UPS that is sometimes on battery and recharges afterwards. Lines: `mains` (windows without mains
 * power), `load` in percent and `volts`. Values in the units of UPS-MIB, hence 0.1 V of the battery, 0.1 A, 0.1 Hz.
 */
export const ups: Story = (lines, own) => {
  const power = parameters(lineOf(lines, 'mains'))
  const [cycleS = 1, offS = 0] = power.numbers
  const mains = windows(own(power.label), cycleS, offS)
  const load = waveOf(parameters(lineOf(lines, 'load')), own)
  const volts = waveOf(parameters(lineOf(lines, 'volts')), own)
  const onMains = (t: Instant) => mains.isOn(t.s)
  const sinceS = (t: Instant) => t.s - mains.changedAt(t.s)
  const charge = (t: Instant) =>
    onMains(t)
      ? Math.min(100, 100 - (offS / 60) * DISCHARGE_PER_MIN + (sinceS(t) / 60) * RECHARGE_PER_MIN)
      : Math.max(5, 100 - (sinceS(t) / 60) * DISCHARGE_PER_MIN)
  const watts = (t: Instant) => 27 * load(t)
  // number of failures so far: total seconds off divided by the length of one failure
  const failures: Curve = (s) => (s - mains.onSeconds(s)) / offS
  /** A value on mains, and one on battery. */
  const either =
    (there: Motion, without: Motion): Motion =>
    (t) =>
      onMains(t) ? there(t) : without(t)
  const fixed =
    (value: number | null): Motion =>
    () =>
      value
  const values: Readonly<Record<string, Motion>> = {
    alarm: (t) => (onMains(t) ? null : ON_BATTERY),
    'alarm time': either(fixed(null), (t) => Math.max(0, (mains.changedAt(t.s) - t.bootS) * 100)),
    alarms: either(fixed(0), fixed(1)),
    'battery current': either(
      (t) => (charge(t) < 100 ? -21 : 0),
      (t) => watts(t) / 4.9,
    ),
    'battery status': (t) => (charge(t) < 20 ? 3 : 2),
    'battery volts': either(fixed(546), (t) => 520 - 0.4 * (100 - charge(t))),
    charge,
    failures: (t) => reading(failures, t.s, t.bootS),
    'input current': either((t) => (10 * watts(t)) / volts(t), fixed(0)),
    'input hertz': either(fixed(500), fixed(0)),
    'input power': either((t) => watts(t) * 1.06, fixed(0)),
    'input volts': either(volts, fixed(0)),
    load,
    'output current': (t) => (10 * watts(t)) / 230,
    'output power': watts,
    // upsOutputSource of UPS-MIB, upsBasicOutputStatus of PowerNet-MIB
    'output source': either(fixed(3), fixed(5)),
    'output status': either(fixed(2), fixed(3)),
    'output volts': either(volts, fixed(230)),
    runtime: (t) => Math.max(1, (charge(t) * 24) / Math.max(10, load(t))),
    'seconds on battery': either(fixed(0), (t) => Math.floor(sinceS(t))),
  }
  return (name) => values[name]
}
