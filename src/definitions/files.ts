import { EXECUTABLE } from '../lib/compiled.ts'
import type { FileTexts } from './embed.ts'
import { type DefinitionKind, yamlNames, yamlValue } from './yaml-files.ts'

/**
 * The definition files as values. Each is read on demand: reading all of them takes 20 ms, and parsing their patterns
 * and placeholders takes twice as long, in every thread.
 */
export interface DefinitionFiles {
  /** Names of the files of a kind, sorted. */
  names(kind: DefinitionKind): readonly string[]
  /** `undefined`: no such file. */
  value(kind: DefinitionKind, name: string): unknown
}

/** The files in the source tree, or those embedded in the compiled binary. */
export function definitionFiles(): DefinitionFiles {
  return EXECUTABLE ? embeddedIn(embedded()) : { names: yamlNames, value: yamlValue }
}

function embeddedIn(texts: FileTexts): DefinitionFiles {
  return {
    names: (kind) => Object.keys(texts[kind]),
    value(kind, name) {
      const text = texts[kind][name]
      return text === undefined ? undefined : JSON.parse(text)
    },
  }
}

/** Uses `require`, because an import would run the macro on every start from source. */
function embedded(): FileTexts {
  const { EMBEDDED } = require('./embedded.ts') as typeof import('./embedded.ts')
  return EMBEDDED
}
