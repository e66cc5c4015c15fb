import { planCatalog } from '../generate/catalog-plan.ts'
import { makeVideo } from '../generate/make-video.ts'
import { makeVocabulary } from '../generate/vocabulary.ts'
import { accountsOf, TIER_VIDEOS } from './accounts.ts'
import { startCopy } from './copy-rows.ts'
import { rowsOf } from './video-rows.ts'

/** Makes and copies every n-th range of videos, so that all parts together write them nearly in order. */
export interface PartOptions {
  readonly psql: string
  readonly ownerUrl: string
  readonly videos: number
  readonly part: number
  readonly parts: number
}

const STRETCH = 500

process.once('message', (options: PartOptions) => {
  loadPart(options).then(
    () => process.disconnect(),
    (error: unknown) => {
      console.error(error)
      process.exit(1)
    },
  )
})

async function loadPart({ psql, ownerUrl, videos, part, parts }: PartOptions): Promise<void> {
  const vocabulary = makeVocabulary()
  const videoCopy = startCopy(psql, ownerUrl, 'videos')
  const searchCopy = startCopy(psql, ownerUrl, 'video_search')
  for (const account of accountsOf(videos)) {
    const plan = planCatalog(vocabulary, account)
    for (let from = part * STRETCH; from < plan.videos; from += parts * STRETCH) {
      const count = Math.min(STRETCH, plan.videos - from)
      const rows = Array.from({ length: count }, (_, i) => {
        const tier = account.firstTier + Math.floor((from + i) / TIER_VIDEOS)
        return rowsOf(account.accountId, tier, makeVideo(vocabulary, plan, from + i))
      })
      await videoCopy.write(rows.map(({ video }) => video))
      await searchCopy.write(rows.map(({ search }) => search))
      process.send?.({ rows: count })
    }
  }
  await Promise.all([videoCopy.end(), searchCopy.end()])
}
