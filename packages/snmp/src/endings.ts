import type { TruncationReason } from './walk.ts'

/** Why a walk ended early, in words, for reasons other than our own limits. */
export function endingText(reason: Exclude<TruncationReason, 'limit' | 'octets'>): string {
  switch (reason) {
    case 'timeout':
      return 'no answer (timeout)'
    case 'otherSource':
      return 'answers came from another address or port'
    case 'deadline':
      return 'not finished before the deadline'
    case 'tooBig':
      return 'the agent says that even one row is too big (tooBig)'
    case 'genErr':
      return 'the agent answered with an error or without a row (genErr)'
    case 'notIncreasing':
      return 'the OIDs of the agent do not increase'
    case 'refused':
      return 'the agent refused the credentials or the context'
    case 'unreachable':
      return 'this host cannot send to the address'
    case 'closed':
      return 'the program stopped reading'
    default:
      throw new Error(`unknown ending: ${JSON.stringify(reason satisfies never)}`)
  }
}
