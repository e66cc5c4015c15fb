import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { GuideEntry } from './guide-entry.ts'
import { printGuideJson } from './print-guide-json.ts'

const START = Date.UTC(2026, 10, 15, 18)

const bare: GuideEntry = {
  program: { id: 'p1', title: ' ', description: '', startMs: START, endMs: null },
  startMs: START,
  endMs: START + 1_234,
}

test('a program without details has the same fields as any other', () => {
  const printed = printGuideJson({ id: 'c1', names: ['North One'], entries: [bare] })

  assert.deepEqual(JSON.parse(printed), {
    channel_id: 'c1',
    programs: [
      {
        program_id: 'p1',
        title: 'North One',
        description: null,
        start_time: '2026-11-15T18:00:00.000Z',
        end_time: '2026-11-15T18:00:01.234Z',
        duration_ms: 1_234,
        series_title: null,
        episode_title: null,
        season_number: null,
        episode_number: null,
        genres: null,
        image_url: null,
        parental_rating: null,
        language: null,
      },
    ],
  })
})

test('details of a program are printed as given', () => {
  const details = {
    seriesTitle: 'Tales of the Port',
    episodeTitle: 'Low "tide"\n',
    seasonNumber: 0,
    episodeNumber: 2,
    genres: ['Drama'],
    imageUrl: 'https://north.example/a.jpg',
    parentalRating: 'PG',
    language: 'de',
  }
  const program = { ...bare.program, title: 'News', description: 'Sailors wake.', details }

  const printed = printGuideJson({ id: 'c1', names: [], entries: [bare, { ...bare, program }] })

  assert.deepEqual(JSON.parse(printed).programs[1], {
    program_id: 'p1',
    title: 'News',
    description: 'Sailors wake.',
    start_time: '2026-11-15T18:00:00.000Z',
    end_time: '2026-11-15T18:00:01.234Z',
    duration_ms: 1_234,
    series_title: 'Tales of the Port',
    episode_title: 'Low "tide"\n',
    season_number: 0,
    episode_number: 2,
    genres: ['Drama'],
    image_url: 'https://north.example/a.jpg',
    parental_rating: 'PG',
    language: 'de',
  })
})

test('a channel without programs has an empty guide', () => {
  assert.equal(printGuideJson({ id: 'c"1', names: [], entries: [] }), '{"channel_id":"c\\"1","programs":[]}')
})

test('filler time has the title of the channel for it, and no program', () => {
  const filler = { program: null, startMs: START, endMs: START + 60_000 }

  const printed = printGuideJson({ id: 'c1', names: ['North One'], fillerTitle: 'Music', entries: [filler] })

  const [entry] = (JSON.parse(printed) as { programs: Record<string, unknown>[] }).programs
  assert.deepEqual(
    [entry?.['program_id'], entry?.['title'], entry?.['description'], entry?.['duration_ms']],
    [null, 'Music', null, 60_000],
  )
})
