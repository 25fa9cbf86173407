import { generateSiteKey, parsePrivateKey, privateText, type SiteKey } from '../../../lib/site-keys.ts'
import type { Store } from '../../database/client.ts'
import { siteKey } from './write.ts'

/** The key pair of the centre, made and stored at the first call. Throws StoreError. */
export async function centreKey(store: Store): Promise<SiteKey> {
  const pem = await siteKey(store, 'centre', () => {
    const key = generateSiteKey()
    return { private_key: privateText(key), public_key: key.publicText }
  })
  return parsePrivateKey(pem)
}
