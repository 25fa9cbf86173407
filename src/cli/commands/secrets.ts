import type { Command } from 'commander'
import type { SecretsChange, SecretsService } from '../../core/secrets/service.ts'
import { actWith } from '../act.ts'
import type { LoadComposition } from '../app.ts'
import { addYes, type ConfirmOptions, confirm } from '../confirm.ts'
import { print, printJson, printTable, say } from '../output.ts'

/** `portlight secrets key|status|enable|rotate|disable`. */
export function registerSecrets(program: Command, load: LoadComposition): void {
  const act = actWith(load)
  const secrets = program.command('secrets').description('encryption of secrets in the database')
  secrets
    .command('key')
    .description('print a new key for secrets.key_file')
    .action(async () => {
      const { newKeyText } = await import('../../core/secrets/codec.ts')
      print(newKeyText())
    })
  secrets
    .command('status')
    .description(
      'show which keys are given and in force, and how secrets are stored; exit code 1 if a secret cannot be decrypted',
    )
    .option('--json', 'print JSON')
    .action(async (options: { json?: boolean }, command: Command) => {
      const status = await act(command, ({ services }) => services.secrets.status())
      if (status.unreadable.length > 0) process.exitCode = 1
      if (options.json === true) return printJson(status)
      print(`keys given   ${status.given.join(', ') || 'none'}`)
      for (const { key_id, state } of status.stored) print(`key ${key_id} ${STATES[state]}`)
      printTable(
        ['SECRETS', 'KEY', 'VALUES'],
        status.counts.map(({ column, keyId, values }) => [column, keyId ?? 'plain text', values]),
      )
      for (const { column, row, keyId } of status.unreadable)
        print(`BAD  ${column} of ${row} cannot be decrypted with the keys given: it needs key ${keyId}`)
    })
  const changes: readonly (readonly [name: 'enable' | 'rotate' | 'disable', about: string, what: string])[] = [
    ['enable', 'encrypt all secrets with the given key, and new ones from then on', 'encrypt the secrets'],
    [
      'rotate',
      'encrypt all secrets with the first of the given keys; the old key must be given as well',
      'change the key',
    ],
    ['disable', 'decrypt all secrets, and store new ones in plain text from then on', 'store secrets in plain text'],
  ]
  for (const [name, about, what] of changes) {
    addYes(secrets.command(name).description(`${about}; can be interrupted and run again`)).action(
      async (options: ConfirmOptions, command: Command) => {
        await confirm(what, options)
        const done = await act(command, ({ services }) => run(services.secrets, name))
        for (const { column, row, keyId } of done.unreadable)
          say(`${column} of ${row} is left as it is: it cannot be decrypted without key ${keyId}`)
        const values = done.changed === 1 ? 'value' : 'values'
        print(`${done.changed} ${values} changed; ${done.keyId === null ? 'no key' : `key ${done.keyId}`} is in force`)
        for (const id of done.needed) print(`key ${id} is still needed`)
        if (done.unreadable.length > 0) process.exitCode = 1
      },
    )
  }
}

const STATES = { active: 'is in force', old: 'may still be needed', offered: 'is given to a server' } as const

async function run(service: SecretsService, name: 'enable' | 'rotate' | 'disable'): Promise<SecretsChange> {
  return await service[name]((changed) => say(`${changed} values`))
}
