import { seededRandom } from '@continuity/dev/seeded-random'
import type { HttpClient, HttpRequest } from '../client/http-client.ts'
import { planCatalog } from '../generate/catalog-plan.ts'
import { makeVideo } from '../generate/make-video.ts'
import { makeVocabulary } from '../generate/vocabulary.ts'
import { BIG_ACCOUNT } from '../load/accounts.ts'
import { headersOf } from '../sessions.ts'
import { drawVideos } from './draw-videos.ts'
import type { Subject } from './subject.ts'

const PER_SECOND = 50
const POLL_EVERY_MS = 5

/** Creates and changes videos during another measurement. */
export interface Writer {
  /** Resolves when all writes have been answered. */
  beside<T>(work: () => Promise<T>): Promise<T>
  readonly tookMs: readonly number[]
  readonly failures: readonly string[]
}

export async function openWriter(client: HttpClient, subject: Subject): Promise<Writer> {
  const nextWrite = await writesOf(subject)
  const tookMs: number[] = []
  const failures: string[] = []
  const write = async () => {
    const { status, text, tookMs: took } = await client.send(nextWrite())
    tookMs.push(took)
    if (status < 200 || status > 299) failures.push(`${status} ${text}`)
  }
  return {
    tookMs,
    failures,
    async beside(work) {
      const sent: Promise<void>[] = []
      const startMs = performance.now()
      // At a constant rate, independent of the answers: waiting for them would reduce the load when writes are slow.
      const sendDue = () => {
        const due = Math.floor(((performance.now() - startMs) * PER_SECOND) / 1_000)
        while (sent.length < due) sent.push(write())
      }
      const timer = setInterval(sendDue, POLL_EVERY_MS)
      try {
        return await work()
      } finally {
        clearInterval(timer)
        await Promise.all(sent)
      }
    },
  }
}

/** Three of four change the text of a video, which updates the index; the fourth creates one. */
async function writesOf({ catalog, sessions, videos }: Subject): Promise<() => HttpRequest> {
  const drawn = await drawVideos(catalog.ownerUrl, videos, 2_000)
  const vocabulary = makeVocabulary()
  const plan = planCatalog(vocabulary, { seed: 3, accountId: BIG_ACCOUNT, videos: 10_000 })
  const random = seededRandom(Date.now())
  const headers = { ...headersOf(sessions[0]!), 'Content-Type': 'application/json' }
  let count = 0
  return () => {
    count += 1
    const { record } = makeVideo(vocabulary, plan, Math.floor(random() * plan.videos))
    const { title, description, keywords, duration, genres, audio_language } = record
    if (count % 4 > 0) {
      const { video_id } = drawn[Math.floor(random() * drawn.length)]!
      const body = JSON.stringify({ description, keywords })
      return { method: 'PATCH', path: `/api/2.1/videos/${video_id}`, headers, body }
    }
    const date_published = new Date().toISOString()
    const draft = {
      title,
      description,
      keywords,
      duration,
      genres,
      audio_language,
      date_published,
      status: 'READY',
    }
    return { method: 'POST', path: '/api/2.1/videos', headers, body: JSON.stringify(draft) }
  }
}
