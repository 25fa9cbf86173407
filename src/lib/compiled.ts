/** True in the compiled binary, whose files are inside it. */
export const COMPILED = import.meta.dir.startsWith('/$bunfs')
