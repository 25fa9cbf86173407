import { expect, setDefaultTimeout, test } from 'bun:test'
import { connect } from '../../src/store/client.ts'
import { takeLead } from '../../src/store/lead.ts'
import { emptyDatabase } from '../support/database.ts'
import { portlight, temporaryFolder } from './support.ts'

setDefaultTimeout(60_000)

test('a server whose database is in use by another says so in one line, without a stack trace', async () => {
  const { url, drop } = await emptyDatabase()
  const folder = temporaryFolder()
  const store = connect(url)
  try {
    const lead = await takeLead(store, () => undefined)
    expect(lead).not.toBeNull()
    const { code, err } = await portlight(['serve', '--port', '0', '--data-dir', folder.path], {
      env: { DATABASE_URL: url, PORTLIGHT_LOG_LEVEL: 'silent' },
    })
    expect(err).toBe('portlight: another process already serves this database\n')
    expect(code).toBe(1)
    await lead?.release()
  } finally {
    await store.close()
    await drop()
    folder.remove()
  }
})
