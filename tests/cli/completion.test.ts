import { describe, expect, test } from 'bun:test'
import { completionScript } from '../../src/cli/completion.ts'
import { buildProgram } from '../../src/cli/program.ts'

const program = buildProgram(() => Promise.reject(new Error('not run')))

/** Completions that bash offers for the last word. */
async function offers(words: readonly string[]): Promise<string[]> {
  const quoted = words.map((word) => `'${word}'`).join(' ')
  const script = `${completionScript(program, 'bash')}
COMP_WORDS=(${quoted}); COMP_CWORD=${words.length - 1}; _portlight; printf '%s\\n' "\${COMPREPLY[@]}"`
  const child = Bun.spawn(['bash', '-c', script], { stdout: 'pipe' })
  return (await child.stdout.text()).split('\n').filter((word) => word !== '')
}

const bash = Bun.which('bash') !== null
if (!bash) console.warn('bash is missing: its completion is not tested')

describe.skipIf(!bash)('bash', () => {
  test.each([
    { words: ['portlight', 'tok'], want: 'token' },
    { words: ['portlight', 'token', ''], want: 'revoke' },
    { words: ['portlight', 'token', 'create', '--dia'], want: '--dialect' },
    { words: ['portlight', '--data-dir', 'x', 'device', 'exp'], want: 'explain' },
    { words: ['portlight', 'config', 'get', 'poller.int'], want: 'poller.interval' },
    { words: ['portlight', 'completion', 'fi'], want: 'fish' },
  ])('$words', async ({ words, want }) => {
    expect(await offers(words)).toContain(want)
  })

  test('an argument that equals a command name is not completed as a command', async () => {
    expect(await offers(['portlight', 'device', 'show', 'token', 'cre'])).toEqual([])
  })
})

test.each(['zsh', 'fish'] as const)('%s accepts the script', async (shell) => {
  const script = completionScript(program, shell)
  expect(script).toContain('poller.interval')
  if (Bun.which(shell) === null) return console.warn(`${shell} is missing: its completion script is not parsed`)
  const child = Bun.spawn([shell, '--no-execute', '/dev/stdin'], { stdin: new Blob([script]) })
  expect(await child.exited).toBe(0)
})
