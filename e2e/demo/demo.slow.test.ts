import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { createClient } from '@continuity/client'
import { projectRoot } from '@continuity/dev/project-root'
import { pollUntil } from '@continuity/dev/waiting'
import { ensureConsole } from '../../tools/console/build.ts'
import type { ReadyLine } from '../../tools/start/ready-line.ts'
import { coloursOf, differenceOf, OTHER_PICTURE, pictureLike } from '../console/cuts.ts'
import { newContext, openPage, startBrowser, waitUntilPlaying } from '../console/open-console.ts'
import { aHome } from '../start/home.ts'

const PATIENCE_MS = 180_000

const CHANNEL = 'Otter Kids'

/** As large as the demo makes it, whatever the tests have set. */
const AS_A_PERSON_STARTS_IT = { LADDER: '640x360@800+96', ENCODER_PRESET: 'ultrafast' }

test('npm start -- --demo puts a film on the air that a browser shows, with its clock running', async (t) => {
  await using opened = new AsyncDisposableStack()
  await ensureConsole()
  const { page, faults } = await openPage(await newContext(await startBrowser(opened)))
  page.setDefaultTimeout(PATIENCE_MS)
  const scope = { after: (clean: () => Promise<void>) => opened.defer(clean) }
  const startMs = performance.now()
  const report = (what: string) => t.diagnostic(`${what} after ${Math.round(performance.now() - startMs)} ms`)
  const running = (await aHome(scope)).start(scope, {
    command: [process.execPath, join(projectRoot, 'tools/start/start.ts'), '--demo'],
    env: { ...AS_A_PERSON_STARTS_IT, CONTINUITY_DEMO: 'first' },
  })
  const ready = await running.ready()
  report('ready')

  await page.goto(`${ready.base_url}/`)
  const channels = page.getByRole('list', { name: 'Channels' })
  await channels.getByRole('link', { name: CHANNEL, exact: true }).click()
  await waitUntilPlaying(page)
  report('plays')
  const { film, slate } = await findPictures(ready)
  const video = page.locator('video')
  await pictureLike(video, film)
  report('the film is shown')

  assert.ok(differenceOf(film, slate) > OTHER_PICTURE, 'the film looks like the slate')
  const clock = () => video.screenshot({ animations: 'disabled' })
  const first = await clock()
  const isRunning = async () => !first.equals(await clock()) || undefined
  assert.ok(await pollUntil(isRunning, PATIENCE_MS), 'the picture does not move')
  assert.deepEqual(faults, [])
})

/** A picture of the film that is on the air by the interface, and one of a slate. */
async function findPictures({ base_url, account_name, email, password }: ReadyLine) {
  const client = createClient({ baseUrl: base_url })
  await client.login({ body: { account_name, email, password } })
  const channel = (await client.listLinearChannels()).find(({ title }) => title === CHANNEL)!
  const { linear_channel_id } = channel
  const videoId = await pollUntil(async () => {
    const { component } = await client.readOnAirNow({ params: { linear_channel_id } })
    return component?.type === 'VIDEO' ? (component.reference_id ?? undefined) : undefined
  }, PATIENCE_MS)
  assert.ok(videoId !== undefined, 'no film is on the air')
  const pictureOf = async (video_id: string) => {
    const { media_url } = await client.getVideo({ params: { video_id }, query: { media_type: 'hls' } })
    return coloursOf(['-ss', '1', '-i', media_url!])
  }
  const { hits } = await client.searchVideos({ body: { query: '"Rescue slate"' } })
  return { film: await pictureOf(videoId), slate: await pictureOf(hits[0]!.video_id) }
}
