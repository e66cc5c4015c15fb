import { createHash } from 'node:crypto'

const DAY_MS = 86_400_000
const FIRST_MS = Date.now() + 10 * DAY_MS
const PLACES = 100_000

/** A minute of a channel, another for each word: two never overlap but by a rare chance. The same again is the same. */
export function aProgram(channelId: string, word: string) {
  const place = createHash('sha256').update(word).digest().readUInt32BE() % PLACES
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
    schedule: { start_time: new Date(FIRST_MS + place * 60_000).toISOString(), duration_ms: 60_000 },
  }
}
