import type { Clock } from '../clock/clock.ts'
import type { Logger } from '../log/logger.ts'
import { followKeys } from '../signing-keys/follow-keys.ts'
import { parsePublicKeys } from '../signing-keys/keys-file.ts'
import { defineSigningKeys } from '../signing-keys/signing-keys.ts'
import { type FeedSigner, type FeedVerifier, signFeed, verifyFeed } from './feed-signature.ts'

/** The keys that sign the feed. */
export const feedKeys = defineSigningKeys({
  setting: 'FEED_KEYS_FILE',
  // Playout nodes run on other machines, to which the public keys are copied: that takes time.
  signsAfterMs: 10 * 60_000,
  // Workers publish every channel again as soon as a new key signs; a day allows for an outage of all of them.
  keptMs: 24 * 60 * 60_000,
})

const PUBLIC_SETTING = 'FEED_PUBLIC_KEYS_FILE'

interface FeedKeysOptions {
  readonly clock: Clock
  readonly logger: Logger
}

/** Undefined where no file is set: the feed is then published without signatures. */
export async function openFeedSigner(
  path: string,
  { clock, logger }: FeedKeysOptions,
): Promise<(FeedSigner & { close(): void }) | undefined> {
  if (path === '') {
    logger.warn('FEED_KEYS_FILE is not set: the feed is published without signatures')
    return undefined
  }
  const { keys, close } = await followKeys(path, { parse: feedKeys.parse, name: 'feed keys', logger })
  const signingKey = () => {
    const key = feedKeys.choose(keys().values(), clock())
    if (key === undefined) throw new Error('the feed key file has no keys')
    return key
  }
  return { ...signFeed(signingKey, keys), close }
}

/** Undefined where no file is set: a node then accepts every message. */
export async function openFeedVerifier(
  path: string,
  { logger }: Pick<FeedKeysOptions, 'logger'>,
): Promise<(FeedVerifier & { close(): void }) | undefined> {
  if (path === '') {
    logger.warn('FEED_PUBLIC_KEYS_FILE is not set: the feed is accepted unverified')
    return undefined
  }
  const parse = (at: string, text: string | undefined) => parsePublicKeys(PUBLIC_SETTING, at, text)
  const { keys, close } = await followKeys(path, { parse, name: 'public feed keys', logger })
  return { ...verifyFeed(keys), close }
}
