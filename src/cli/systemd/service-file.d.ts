/** A systemd unit imported with `{ type: 'text' }`. */
declare module '*.service' {
  const text: string
  // biome-ignore lint/style/noDefaultExport: the shape of a file import
  export default text
}

/** A systemd timer, likewise. */
declare module '*.timer' {
  const text: string
  // biome-ignore lint/style/noDefaultExport: the shape of a file import
  export default text
}
