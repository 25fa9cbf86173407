/** A font imported with `{ type: 'file' }`: its path, inside a compiled binary as well. */
declare module '*.ttf' {
  const path: string
  // biome-ignore lint/style/noDefaultExport: the shape of a file import
  export default path
}
