import type { Scan, ScanState } from '../../../core/scans/scan.ts'
import type { Tone } from '../../components/icon.tsx'
import { count, duration, plain } from '../../components/values.tsx'

/** How the state of a scan is shown: its colour and its word. */
export const SCAN_LOOKS: Readonly<Record<ScanState, readonly [Tone, string]>> = {
  waiting: ['off', 'Waiting'],
  running: ['ack', 'Running'],
  stopped: ['warn', 'Stopped'],
  done: ['ok', 'Done'],
  failed: ['bad', 'Failed'],
}

/** Whether it goes on by itself, so that its page is kept up to date. */
export const isGoing = ({ state }: Pick<Scan, 'state'>): boolean => state === 'waiting' || state === 'running'

/** Addresses per second so far; null: not begun, or too early to say. */
export function pace({ startedAt, endedAt, counts }: Scan, nowMs: number): number | null {
  if (startedAt === null) return null
  const seconds = ((endedAt?.getTime() ?? nowMs) - startedAt.getTime()) / 1000
  return seconds < 1 || counts.done === 0 ? null : counts.done / seconds
}

/** What a scan has met, in a sentence: `512 of 1024 addresses asked, 12 found.` */
export function progressText({ counts, restS, state }: Scan): string {
  const rest = state === 'running' && restS !== null ? `, about ${duration(restS)} left` : ''
  return `${count(counts.done)} of ${count(counts.total)} addresses asked, ${count(counts.found)} found${rest}`
}

/** Who started a scan: `by ann`, `by schedule`, `by command`. */
export const starterText = ({ startedBy }: Pick<Scan, 'startedBy'>): string =>
  `by ${startedBy === 'cli' ? 'command' : plain(startedBy)}`
