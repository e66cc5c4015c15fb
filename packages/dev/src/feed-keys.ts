import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { feedKeys } from '@continuity/server/owner'

/** The settings of those who sign the feed, and of those who verify it. */
export interface FeedKeySettings {
  readonly signing: { readonly FEED_KEYS_FILE: string }
  readonly verifying: { readonly FEED_PUBLIC_KEYS_FILE: string }
}

/** Made on the first start and kept, since the feed is kept too. */
export async function ensureFeedKeys(home: string): Promise<FeedKeySettings> {
  const [path, publicPath] = [join(home, 'feed-keys.json'), join(home, 'feed-public-keys.json')]
  const isThere = await access(path).then(
    () => true,
    () => false,
  )
  if (!isThere) {
    const made = await feedKeys.createFile(path, Date.now(), publicPath)
    if (made.kind === 'rejected') throw new Error(made.fault)
  }
  return { signing: { FEED_KEYS_FILE: path }, verifying: { FEED_PUBLIC_KEYS_FILE: publicPath } }
}
