import { createHash } from 'node:crypto'

const DAY_MS = 86_400_000
const FIRST_MS = Date.now() + 10 * DAY_MS
const TIME_SLOTS = 100_000

/** A program of one minute. Its time slot is a hash of the word, so that two words hardly ever overlap. */
export function aProgram(channelId: string, word: string) {
  const slot = createHash('sha256').update(word).digest().readUInt32BE() % TIME_SLOTS
  return {
    linear_channel_id: channelId,
    source_id: word,
    program_title: `Program of ${word}`,
    videos: [
      {
        type: 'VIDEO',
        video_source_id: `video-${word}`,
        title: `Video of ${word}`,
        video_url: 'https://partner.example/film.mp4',
        duration: 60,
      },
    ],
    schedule: { start_time: new Date(FIRST_MS + slot * 60_000).toISOString(), duration_ms: 60_000 },
  }
}

/** A program of an ad pod, in an hour of its own before all others. */
export function aPod(hour: number) {
  const startMs = FIRST_MS - 5 * DAY_MS + hour * 3_600_000
  return {
    title: `Pod ${hour}`,
    start_time: new Date(startMs).toISOString(),
    end_time: new Date(startMs + 60_000).toISOString(),
    items: [{ type: 'AD_POD', duration: 60 }],
  }
}
