import type { ApiPair } from './api-pair.ts'
import { type ChannelPosts, countChannels, repeatPosts } from './channel-posts.ts'
import { countLiving, type Refreshes } from './session-requests.ts'

/** The state at the end of the run. */
export interface Effects {
  readonly channelsRequested: number
  readonly channelsMade: number
  /** Also by repeated POSTs. */
  readonly channelsMadeTwice: number
  readonly postsRepeated: number
  readonly repeatFailures: readonly string[]
  readonly renewals: number
  /** Of the sessions that were renewed during the run. */
  readonly sessionsLiving: number
}

/** So many of the POSTs are sent again. */
const REPEATED_POSTS = 50

export async function readEffects(
  { apis, sessions }: ApiPair,
  { posts }: ChannelPosts,
  refreshes: Refreshes,
): Promise<Effects> {
  const [{ port }] = apis
  const [reader] = sessions
  const made = await countChannels(port, reader!)
  const repeated = posts.slice(-REPEATED_POSTS)
  const repeatFailures = await repeatPosts(port, repeated)
  const afterwards = await countChannels(port, reader!)
  return {
    channelsRequested: posts.length,
    channelsMade: made.size,
    channelsMadeTwice: [...afterwards.values()].filter((count) => count > 1).length,
    postsRepeated: repeated.length,
    repeatFailures,
    renewals: refreshes.count(),
    sessionsLiving: await countLiving(port, refreshes.sessions),
  }
}
