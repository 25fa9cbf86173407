import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { recordedValues, type Values } from '../../tools/coverage/recordings.ts'

/** The values of a recording, by OID; of equal OIDs the first. */
export function load(folder: string, name: string): Values {
  return recordedValues(readFileSync(join(folder, `${name}.snmprec`), 'utf8'))
}
