import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { temporaryFolder } from '@continuity/dev/temporary-folder'
import { demoChannels } from '../../tools/demo/library.ts'
import { makeFilm } from '../../tools/demo/make-film.ts'
import { compareTitles, drawDigits, drawTitles, readClock, toPicture } from './read-picture.ts'

/** Two of one series, and one of each other channel. */
const films = demoChannels.flatMap(({ films }, at) => films.slice(0, at === 0 ? 2 : 1))

test('the title and the clock of a film are read from its picture, and no other title fits as well', async () => {
  await using opened = new AsyncDisposableStack()
  const folder = await temporaryFolder(opened)
  const titles = films.map(({ title }) => title)
  const [templates, digits] = [await drawTitles(titles), await drawDigits()]

  for (const [film, seconds] of [
    [films[0]!, 7],
    [films[3]!, 9],
  ] as const) {
    await makeFilm({ ...film, seconds: 12 }, `${folder}/film.mp4`, new AbortController().signal)
    const picture = await toPicture(await pictureAt(`${folder}/film.mp4`, seconds + 0.5))
    const [first, second] = compareTitles(picture, titles, templates)
    const clock = readClock(picture, digits, first!.bottom)

    assert.equal(first!.title, film.title)
    assert.ok(first!.score > 0.8 && second!.score < first!.score - 0.02, JSON.stringify([first, second]))
    assert.equal(clock.seconds, seconds)
    assert.ok(clock.score > 0.7, JSON.stringify(clock))
    await promisify(execFile)('rm', [`${folder}/film.mp4`])
  }
})

async function pictureAt(file: string, seconds: number): Promise<Buffer> {
  const args = [
    '-v',
    'error',
    '-ss',
    `${seconds}`,
    '-i',
    file,
    '-frames:v',
    '1',
    '-c:v',
    'png',
    '-f',
    'image2pipe',
    '-',
  ]
  return (await promisify(execFile)('ffmpeg', args, { encoding: 'buffer', maxBuffer: 2 ** 24 })).stdout
}
