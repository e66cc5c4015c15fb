import { writeFile } from 'node:fs/promises'

const SERIES = 5

/** A brand, series and videos. Videos without a partner's id are new to every import. */
export async function writeCatalog(
  path: string,
  videos: number,
  unnamed: 'every tenth unnamed' | 'all named',
) {
  const entries = [
    { type: 'brand', brand_id: 'north', name: 'North' },
    ...Array.from({ length: SERIES }, (_, at) => ({
      type: 'series',
      key: `series ${at}`,
      title: `Series ${at}`,
      description: 'A port that never sleeps.',
      brand_id: 'north',
      images: [anImage(at)],
      status: 'READY',
    })),
    ...Array.from({ length: videos }, (_, at) => aVideo(at, unnamed === 'all named' || at % 10 !== 0)),
  ]
  await writeFile(path, entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''))
}

function aVideo(at: number, isNamed: boolean) {
  const named = isNamed ? { source_id: 'north', video_source_id: `video-${at}` } : {}
  return {
    type: 'video',
    ...named,
    title: `Harbour Nights ${at}`,
    description: 'Line one.\nLine "two" – ☺',
    duration: 60 + at,
    series_key: `series ${at % SERIES}`,
    season_number: 1,
    episode_number: at,
    brand_id: 'north',
    keywords: ['port', `word ${at}`],
    genres: [{ genre: 'Drama', sub_genre: '' }],
    audio_language: 'de',
    parental_rating: '12',
    date_published: new Date(Date.UTC(2026, 2, 1) + at * 60_000).toISOString(),
    date_available: at % 3 === 0 ? '2026-03-01T00:00:00.000Z' : null,
    images: [anImage(at)],
    status: at % 7 === 0 ? 'DISABLED' : 'READY',
    mp4_url: `https://north.example/${at}.mp4`,
    hls_url: at % 2 === 0 ? `https://north.example/${at}.m3u8` : null,
  }
}

const anImage = (at: number) => ({
  width: 1_280,
  height: 720,
  image_type: 'THUMBNAIL',
  original_image_url: `https://north.example/${at}.jpg`,
})

export async function writeMrss(path: string, items: readonly string[]): Promise<void> {
  const mrss = `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:media="http://search.yahoo.com/mrss/" xmlns:dcterms="http://purl.org/dc/terms/">
<channel><title>North</title>
${items.join('\n')}
</channel></rss>
`
  await writeFile(path, mrss)
}

export const anMrssItem = (at: number, title = `Tide Table ${at}`) => `<item>
  <guid>tide-${at}</guid>
  <title>${title}</title>
  <description><![CDATA[<p>Water &amp; wind</p>]]></description>
  <pubDate>Sun, 01 Mar 2026 19:00:00 +0100</pubDate>
  <dcterms:valid>start=2026-03-01T18:00:00Z; end=2030-01-01T00:00:00Z;</dcterms:valid>
  <media:group>
    <media:content url="https://north.example/tide-${at}.mp4" type="video/mp4" duration="90.4"/>
    <media:content url="https://north.example/tide-${at}.m3u8" type="application/x-mpegURL"/>
  </media:group>
  <media:keywords>tide, port</media:keywords>
  <media:thumbnail url="https://north.example/tide-${at}.jpg" width="640" height="360"/>
</item>`
