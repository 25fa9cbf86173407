/** A line in the form in which a vendor documents its messages, and what it says. Names and addresses are made up. */
export interface FormCase {
  /** Vendor and variant. */
  readonly form: string
  readonly os: string
  readonly raw: string | Uint8Array
  /** null: the form has none. */
  readonly program: string | null
  /** How the rest of the message begins. */
  readonly msg: string
  /** The host in the header; null: none. */
  readonly host: string | null
}

/** Makes cases of a device with this operating system. */
export const as =
  (os: string) =>
  (
    form: string,
    raw: string | Uint8Array,
    program: string | null,
    msg: string,
    host: string | null = null,
  ): FormCase => ({
    form,
    os,
    raw,
    program,
    msg,
    host,
  })
