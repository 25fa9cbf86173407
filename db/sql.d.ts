/** SQL files are imported as text, so that the compiled program carries them. */
declare module '*.sql' {
  const text: string
  // biome-ignore lint/style/noDefaultExport: a text import has no other export
  export default text
}
