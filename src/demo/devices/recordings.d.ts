/** A recording imported with `{ type: 'text' }`. */
declare module '*.snmprec' {
  const text: string
  // biome-ignore lint/style/noDefaultExport: the shape of a file import
  export default text
}
