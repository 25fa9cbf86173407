/** Where problems are written: a logger of pino's form, fields first. */
export interface Log {
  debug(fields: object, text: string): void
  info(fields: object, text: string): void
  warn(fields: object, text: string): void
  error(fields: object, text: string): void
}
