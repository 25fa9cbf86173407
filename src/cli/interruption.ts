let code: 130 | 143 | null = null

/** Notes that the user has ended the command; what fails from now on fails because of that and is not reported. */
export function noteInterruption(signal: NodeJS.Signals): 130 | 143 {
  code ??= signal === 'SIGINT' ? 130 : 143
  return code
}

/** Exit code of a command that a signal has ended; null: none has. */
export const interruptionCode = (): 130 | 143 | null => code
