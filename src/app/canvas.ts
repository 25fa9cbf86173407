import { join } from 'node:path'
import { unpackInto } from '../graphs/native-library.ts'

/** Where the compiled program unpacks libraries that it cannot load from the folder for temporary files. */
const FOLDER = 'lib'

/** Lets the data folder hold what is needed for drawing. */
export function prepareGraphs(dataDir: string): void {
  unpackInto(join(dataDir, FOLDER))
}

/** Measures a text as graphs do. Resolves to why that fails, in one sentence; null: it does not. */
export async function checkGraphs(dataDir: string): Promise<string | null> {
  prepareGraphs(dataDir)
  try {
    const { createRenderer } = await import('../graphs/render.ts')
    const { measure } = await createRenderer()
    return measure('0', 12) > 0 ? null : 'Graphs cannot be drawn: the font has no width.'
  } catch (error) {
    return `Graphs cannot be drawn: ${error instanceof Error ? error.message : String(error)}.`
  }
}
