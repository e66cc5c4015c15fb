import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { aCapturedLog } from '../../../http/testing/captured-log.ts'
import { followKeys } from '../../signing-keys/follow-keys.ts'
import { parsePublicKeys } from '../../signing-keys/keys-file.ts'
import { feedKeys } from '../feed-keys.ts'
import { signFeed, verifyFeed } from '../feed-signature.ts'

export const MADE_MS = Date.parse('2026-03-01T18:00:00Z')
/** So that only the test itself makes a process read the files. */
const NEVER_MS = 2 ** 31 - 1

/** Key files of a publisher and a node, with a clock of the test. */
export async function someFeedKeys(t: TestContext) {
  const folder = await mkdtemp(join(tmpdir(), 'feed-keys-'))
  t.after(() => rm(folder, { recursive: true }))
  const [path, publicPath] = [join(folder, 'private.json'), join(folder, 'public.json')]
  await feedKeys.createFile(path, MADE_MS, publicPath)
  const clock = { nowMs: MADE_MS }
  const { logger } = aCapturedLog()
  const own = await followKeys(path, { parse: feedKeys.parse, name: 'feed keys', logger, pollMs: NEVER_MS })
  const others = await followKeys(publicPath, {
    parse: (at, text) => parsePublicKeys('FEED_PUBLIC_KEYS_FILE', at, text),
    name: 'public feed keys',
    logger,
    pollMs: NEVER_MS,
  })
  t.after(() => {
    own.close()
    others.close()
  })
  return {
    path,
    publicPath,
    signer: signFeed(() => feedKeys.choose(own.keys().values(), clock.nowMs)!, own.keys),
    verifier: verifyFeed(others.keys),
    /** Creates a new key, which the publisher reads at once. */
    async rotate() {
      await feedKeys.rotateFile(path, clock.nowMs, publicPath)
      await own.refresh()
    },
    /** As if the file had been copied to the node. */
    copyToNode: others.refresh,
    passMs(ms: number) {
      clock.nowMs += ms
    },
  }
}
