import { execFile } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { createClient } from '@continuity/client'
import { pollUntil } from '@continuity/dev/waiting'
import { projectRoot } from '../../tools/architecture/source-files.ts'
import { ensureConsole } from '../../tools/console/build.ts'
import { copyProject } from '../../tools/source-changes/project-copy.ts'
import type { ReadyLine } from '../../tools/start/ready-line.ts'
import { newContext, openPage, startBrowser, waitUntilPlaying } from '../console/open-console.ts'
import { proof } from '../proofs/proof.ts'
import { aHome } from '../start/home.ts'
import { type Clock, compareTitles, drawDigits, drawTitles, readClock, toPicture } from './read-picture.ts'

interface DemoSize {
  /** As after `git clone` and `npm ci`: nothing is cached but what the installation builds. */
  readonly isFresh: boolean
  readonly withinMs: number
}

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

export const demo = proof<DemoSize>({
  name: 'demo',
  title: 'From an installation to a program in the console within 30 seconds',
  promise:
    'A copy of the project in which nothing was started before, built as `npm ci` builds it, is started with `npm start -- ' +
    '--demo` in an empty home. A browser opens `/` and the first channel. The title of the program is read from the picture ' +
    'of the player, at most 30 s after the start; other titles fit worse. The clock in the picture advances as the player ' +
    'plays.',
  watches: [
    'packages/server/src/modules/plans',
    'packages/server/src/modules/schedule',
    'tools/demo',
    'tools/dev-stack',
    'tools/prepare.ts',
    'e2e/demo',
  ],
  sabotage: {
    title: 'every film has the title of another one',
    changes: [
      {
        file: 'tools/demo/make-film.ts',
        from: '.title`, film.title)',
        to: ".title`, 'Harbour Nights 1')",
      },
    ],
    missed: ['titles_read'],
  },
  sizes: {
    // Other tests run beside it.
    small: { isFresh: false, withinMs: 180_000 },
    full: { isFresh: true, withinMs: 30_000 },
  },
  async run({ size, log }) {
    await using opened = new AsyncDisposableStack()
    const folder = size.isFresh ? await installCopy(opened) : projectRoot
    if (!size.isFresh) await ensureConsole()
    const browser = await startBrowser(opened)
    const context = await newContext(browser)
    const { page, faults } = await openPage(context)
    page.setDefaultTimeout(PATIENCE_MS)

    const scope = { after: (clean: () => Promise<void>) => opened.defer(clean) }
    const home = await aHome(scope)
    const startMs = performance.now()
    const sinceStart = () => Math.round(performance.now() - startMs)
    const running = home.start(scope, {
      command: size.isFresh
        ? ['npm', '--prefix', folder, 'start', '--', '--demo']
        : [process.execPath, join(folder, 'tools/dev-stack/start.ts'), '--demo'],
      env: { ...AS_A_PERSON_STARTS_IT, ...(!size.isFresh && { CONTINUITY_DEMO: 'first' }) },
    })
    const ready = await running.ready()
    log(`ready after ${sinceStart()} ms`)
    await page.goto(`${ready.base_url}/`)
    const channels = page.getByRole('list', { name: 'Channels' })
    await channels.getByRole('link', { name: CHANNEL, exact: true }).click()
    await page.locator('video').waitFor()
    log(`the channel is on the air after ${sinceStart()} ms`)
    await waitUntilPlaying(page)
    const film = await findFilm(ready)
    log(`plays after ${sinceStart()} ms; on the air: ${film.title}, ${film.seconds} s`)

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
      log(
        `"${first.best.title}" fits best with ${first.best.score}, then "${first.next.title}" ${first.next.score}`,
      )

    const clocks: ReadClock[] = []
    for (let left = isRead ? LOOKS : 0; left > 0 && clocks.length < READINGS; left -= 1) {
      const seen = await look()
      if (seen.best.title === film.title)
        clocks.push({ ...readClock(seen.picture, digits, seen.best.bottom), atSeconds: seen.atSeconds })
      await wait(BETWEEN_MS)
    }
    log(
      `clock: ${clocks.map(({ seconds, atSeconds }) => `${seconds} at ${atSeconds.toFixed(1)}`).join(', ')}`,
    )
    return {
      figures: {
        titles_read: isRead ? 1 : 0,
        title_similarity_permille: Math.round((first?.best.score ?? 0) * 1_000),
        next_title_similarity_permille: Math.round((first?.next.score ?? 0) * 1_000),
        clocks_read: clocks.filter(({ score }) => score * 1_000 >= SAME_TEXT).length,
        clocks_that_deviate: countDeviations(clocks, film.seconds),
        faults_of_the_page: faults.length,
        shown_after_ms: first?.shownMs ?? PATIENCE_MS,
      },
      targets: {
        titles_read: { is: 1 },
        title_similarity_permille: { atLeast: SAME_TEXT },
        clocks_read: { atLeast: READINGS },
        clocks_that_deviate: { is: 0 },
        faults_of_the_page: { is: 0 },
        shown_after_ms: { atMost: size.withinMs },
      },
    }
  },
})

/** What `git clone` and `npm ci` leave: sources, dependencies, and what is built at the end of the installation. */
async function installCopy(opened: AsyncDisposableStack): Promise<string> {
  const { folder } = opened.use(await copyProject())
  // A link to that of this project.
  await rm(join(folder, 'node_modules/.cache'), { force: true })
  await promisify(execFile)('npm', ['run', 'prepare'], { cwd: folder })
  return folder
}

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
