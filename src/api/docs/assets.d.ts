/** Paths of package files imported with `{ type: 'file' }`, which also work in a compiled binary. */
declare module 'swagger-ui-dist/swagger-ui-bundle.js' {
  const path: string
  // biome-ignore lint/style/noDefaultExport: the shape of a file import
  export default path
}
declare module 'swagger-ui-dist/swagger-ui.css' {
  const path: string
  // biome-ignore lint/style/noDefaultExport: the shape of a file import
  export default path
}
declare module 'swagger-ui-dist/favicon-32x32.png' {
  const path: string
  // biome-ignore lint/style/noDefaultExport: the shape of a file import
  export default path
}
