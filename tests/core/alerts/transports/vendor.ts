/** What a vendor's documentation says about a request. */
export interface Vendor {
  readonly kind: string
  readonly settings: (url: string) => Readonly<Record<string, unknown>>
  /** Settings as LibreNMS stores them; null: it has no such transport, or has no setting for the server. */
  readonly migrated: ((url: string) => Readonly<Record<string, unknown>>) | null
  readonly method: 'POST' | 'PUT'
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly schema: object
  /** The vendor's response on success. */
  readonly good: () => Response
  /** Maximum bytes of a body; null: not documented. */
  readonly octets: number | null
}

export const KEY = 'a1b2c3d4-0000-4000-8000-1234567890ab'
export const json =
  (value: unknown, status = 200) =>
  () =>
    Response.json(value, { status })
export const plain =
  (text: string, status = 200) =>
  () =>
    new Response(text, { status })
