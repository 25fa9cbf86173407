declare module '*.png' {
  const path: string
  // biome-ignore lint/style/noDefaultExport: the shape of a file import
  export default path
}
/** Paths of package files imported with `{ type: 'file' }`, which also work in a compiled binary. */
declare module '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2' {
  const path: string
  // biome-ignore lint/style/noDefaultExport: the shape of a file import
  export default path
}
