import { COMPILED } from '../lib/compiled.ts'
import type { FileTexts } from './embed.ts'
import { type Folder, yamlNames, yamlValue } from './yaml-files.ts'

/**
 * The definition files as values. Each is read on demand: reading all of them takes 20 ms, and parsing their patterns
 * and places twice as long, in every thread.
 */
export interface DefinitionFiles {
  /** Names of the files in a folder, sorted. */
  names(folder: Folder): readonly string[]
  /** `undefined`: no such file. */
  value(folder: Folder, name: string): unknown
}

/** The files of the source tree, or those in the compiled binary. */
export function definitionFiles(): DefinitionFiles {
  return COMPILED ? embeddedIn(embedded()) : { names: yamlNames, value: yamlValue }
}

function embeddedIn(texts: FileTexts): DefinitionFiles {
  return {
    names: (folder) => Object.keys(texts[folder]),
    value(folder, name) {
      const text = texts[folder][name]
      return text === undefined ? undefined : JSON.parse(text)
    },
  }
}

/** `require`, because an import would run the macro on every start from source. */
function embedded(): FileTexts {
  const { EMBEDDED } = require('./embedded.ts') as typeof import('./embedded.ts')
  return EMBEDDED
}
