import { CliError } from './errors.ts'

const MAX_OCTETS = 16 * 2 ** 20

/** Reads a text file of at most 16 MiB; `-` is stdin. Throws CliError. */
export async function readTextFile(file: string): Promise<string> {
  const source = file === '-' ? Bun.stdin : Bun.file(file)
  if (file !== '-' && !(await source.exists())) throw new CliError(`there is no file ${file}`)
  const text = await source.text().catch((error: unknown) => {
    throw new CliError(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`)
  })
  if (text.length > MAX_OCTETS) throw new CliError(`${file} is larger than 16 MiB`)
  return text.replace(/^\uFEFF/, '')
}

/** Reads a JSON file; `-` is stdin. Throws CliError. */
export async function readJsonFile(file: string): Promise<unknown> {
  const text = await readTextFile(file)
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new CliError(`${file} is not JSON: ${error instanceof Error ? error.message : String(error)}`)
  }
}
