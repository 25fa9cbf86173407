import type { Motion } from '../curves.ts'
import type { Seeds } from '../seeds.ts'

/** The lines of a story's block in a recording, divided at `|`. */
export type StoryLines = readonly (readonly string[])[]

/** Values of a device that depend on each other, by name; undefined: it has none of that name. */
export type Story = (lines: StoryLines, own: Seeds) => (name: string) => Motion | undefined

/** The second field of the line with this first one. Throws RangeError if there is no such line. */
export function lineOf(lines: StoryLines, name: string): string {
  const text = lines.find(([first]) => first === name)?.[1]
  if (text === undefined) throw new RangeError(`the story has no line ${name}`)
  return text
}
