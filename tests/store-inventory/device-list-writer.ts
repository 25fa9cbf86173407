import { connect } from '../../src/store/client.ts'

// Another process that writes to the database of a test: a line of standard input is a note for device sw-1, and is given
// back when it is committed.

const store = connect(process.argv[2] ?? '', { max: 1 })
for await (const note of console) {
  await store.sql`update devices set notes = ${note} where hostname = 'sw-1'`
  process.stdout.write(`${note}\n`)
}
await store.close()
