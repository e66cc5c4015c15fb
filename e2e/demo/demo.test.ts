import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { createClient } from '@continuity/client'
import { projectRoot } from '@continuity/dev/project-root'
import { pollUntil } from '@continuity/dev/waiting'
import { ensureConsole } from '../../tools/console/build.ts'
import type { ReadyLine } from '../../tools/start/ready-line.ts'
import { newContext, openPage, startBrowser, waitUntilPlaying } from '../console/open-console.ts'
import { aHome } from '../start/home.ts'
import { type Clock, compareTitles, drawDigits, drawTitles, readClock, toPicture } from './read-picture.ts'

const PATIENCE_MS = 180_000
const LOOK_MS = 800

/** As large as the demo makes them, whatever the tests have set. */
const AS_A_PERSON_STARTS_IT = { LADDER: '640x360@800+96', ENCODER_PRESET: 'ultrafast' }

const CHANNEL = 'Otter Kids'

/** Titles that are not on the picture; the first one differs in one digit. */
const OTHERS = ['Otter and Friends 2', 'Harbour Nights 1', 'Open Water 1', 'Salt', 'The Long Ferry']

/** Of 1000: so similar is a text to itself after it was compressed, scaled and drawn on a screen. */
const SAME_TEXT = 750

const READINGS = 3
const LOOKS = 10
const BETWEEN_MS = 1_500

/** With the time of the player. */
type ReadClock = Clock & { readonly atSeconds: number }

test('npm start -- --demo puts a film on the air that a browser shows, with its clock running', async (t) => {
  await using opened = new AsyncDisposableStack()
  await ensureConsole()
  const browser = await startBrowser(opened)
  const context = await newContext(browser)
  const { page, faults } = await openPage(context)
  page.setDefaultTimeout(PATIENCE_MS)

  const scope = { after: (clean: () => Promise<void>) => opened.defer(clean) }
  const home = await aHome(scope)
  const startMs = performance.now()
  const sinceStart = () => Math.round(performance.now() - startMs)
  const running = home.start(scope, {
    command: [process.execPath, join(projectRoot, 'tools/start/start.ts'), '--demo'],
    env: { ...AS_A_PERSON_STARTS_IT, CONTINUITY_DEMO: 'first' },
  })
  const ready = await running.ready()
  t.diagnostic(`ready after ${sinceStart()} ms`)
  await page.goto(`${ready.base_url}/`)
  const channels = page.getByRole('list', { name: 'Channels' })
  await channels.getByRole('link', { name: CHANNEL, exact: true }).click()
  await page.locator('video').waitFor()
  t.diagnostic(`the channel is on the air after ${sinceStart()} ms`)
  await waitUntilPlaying(page)
  const film = await findFilm(ready)
  t.diagnostic(`plays after ${sinceStart()} ms; on the air: ${film.title}, ${film.seconds} s`)

  const titles = [film.title, ...OTHERS]
  const [templates, digits] = [await drawTitles(titles), await drawDigits()]
  const look = async () => {
    const png = await page.locator('video').screenshot({ animations: 'disabled' })
    const atSeconds = (await page.evaluate(`document.querySelector('video').currentTime`)) as number
    const shownMs = sinceStart()
    const picture = await toPicture(png)
    const [best, next] = compareTitles(picture, titles, templates)
    return { picture, atSeconds, shownMs, best: best!, next: next! }
  }
  const first = await pollUntil(async () => {
    const seen = await look()
    if (seen.best.score * 1_000 >= SAME_TEXT) return seen
    await wait(LOOK_MS)
    return undefined
  }, PATIENCE_MS)
  const isRead = first?.best.title === film.title
  if (first)
    t.diagnostic(
      `"${first.best.title}" fits best with ${first.best.score}, then "${first.next.title}" ${first.next.score}`,
    )

  const clocks: ReadClock[] = []
  for (let left = isRead ? LOOKS : 0; left > 0 && clocks.length < READINGS; left -= 1) {
    const seen = await look()
    if (seen.best.title === film.title)
      clocks.push({ ...readClock(seen.picture, digits, seen.best.bottom), atSeconds: seen.atSeconds })
    await wait(BETWEEN_MS)
  }
  t.diagnostic(
    `clock: ${clocks.map(({ seconds, atSeconds }) => `${seconds} at ${atSeconds.toFixed(1)}`).join(', ')}`,
  )
  t.diagnostic(`shown after ${first?.shownMs} ms`)
  assert.equal(first?.best.title, film.title, 'the title in the picture')
  assert.ok(clocks.filter(({ score }) => score * 1_000 >= SAME_TEXT).length >= READINGS, 'the clock is read')
  assert.equal(countDeviations(clocks, film.seconds), 0)
  assert.deepEqual(faults, [])
})

/** The film that is on the air by the interface. */
async function findFilm(ready: ReadyLine): Promise<{ readonly title: string; readonly seconds: number }> {
  const client = createClient({ baseUrl: ready.base_url })
  const { account_name, email, password } = ready
  await client.login({ body: { account_name, email, password } })
  const channel = (await client.listLinearChannels()).find(({ title }) => title === CHANNEL)!
  const { linear_channel_id } = channel
  const shown = await pollUntil(async () => {
    const { component } = await client.readOnAirNow({ params: { linear_channel_id } })
    return component?.type === 'VIDEO' && component.reference_id !== null ? component : undefined
  }, PATIENCE_MS)
  if (shown === undefined) throw new Error('no film is on the air')
  const { duration } = await client.getVideo({ params: { video_id: shown.reference_id! } })
  return { title: shown.title ?? '', seconds: duration }
}

/** Each clock follows the first one as the player does, also where the film begins again. */
function countDeviations(clocks: readonly ReadClock[], length: number): number {
  const [first] = clocks
  return clocks.filter(({ seconds, atSeconds }) => {
    const played = atSeconds - first!.atSeconds
    const advanced = seconds - first!.seconds
    const difference = (((played - advanced) % length) + length) % length
    // The clock shows whole seconds, and a screenshot takes some time.
    return seconds >= length || Math.min(difference, length - difference) > 1.5
  }).length
}
