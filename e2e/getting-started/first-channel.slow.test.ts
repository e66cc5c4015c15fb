import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { projectRoot } from '@continuity/dev/project-root'
import { pollUntil } from '@continuity/dev/waiting'
import type { Locator, Page } from 'playwright-core'
import { newContext, openPage, startBrowser, waitUntilPlaying } from '../console/open-console.ts'
import { startForGuides } from './first-channel-system.ts'
import { exportsOf, readBlocks, readChapter, withValues } from './guide.ts'

const execute = promisify(execFile)

const GUIDE = 'docs/first-channel.md'
const CONSOLE_GUIDE = 'docs/first-channel-console.md'

/** A busy machine may be slow; everything here takes seconds. */
const PATIENCE_MS = 60_000

// One system for all: the films are packaged by the first guide, and found by the others.
const { opened, folder, base_url, playout_url, password, inThisTest, run } = await startForGuides()

// Before the others: what it begins with is the console of an account without channels.
test('following the guide with the console gives a channel on air, by the names that it has in bold', async () => {
  const [program, marked, ...others] = await readBlocks(CONSOLE_GUIDE, 'sh')
  assert.deepEqual(others, [])
  const context = await newContext(await startBrowser(opened))
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const { page, faults } = await openPage(context)
  const guide = await followInBrowser(CONSOLE_GUIDE, page, inThisTest)

  await page.goto(`${base_url}/console/`)
  await guide.fill('Account name')
  await guide.fill('Email')
  await guide.fill('Password', password)
  await guide.choose('button', 'Log in')
  await guide.fill('Name of the channel')
  await guide.choose('button', 'Make and start it')
  await page.getByRole('heading', { name: 'North Four' }).waitFor()
  await run(program!)
  await guide.choose('link', 'Ingest')
  await guide.chooseFile('Choose a file…', folder)
  await page.getByText('program.json: 3 items in the form below.').waitFor()
  await guide.select('Channel')
  await guide.choose('button', 'Submit the program')
  await page.getByText('It has its time slot on the channel.').waitFor()
  await guide.choose('link', 'North Four')
  await page.getByRole('region', { name: 'Next programs' }).getByText('First night').waitFor()
  await waitUntilPlaying(page)
  await guide.choose('button', 'Copy Stream')
  const stream: string = await page.evaluate('navigator.clipboard.readText()')
  const channel = new URL(page.url()).pathname.split('/').at(-1)
  assert.equal(stream, `${playout_url}/channels/${channel}/direct/index.m3u8`)
  const playlist = stream.replace('index', '90p')
  const segmentsLike = (pattern: RegExp) => listedSegments(playlist, pattern)
  const onAir = await segmentsLike(/./)

  await guide.choose('link', 'Live sources')
  await guide.choose('button', 'Add a live source')
  await guide.fill('Name')
  await guide.fill('Address of the stream')
  await guide.choose('button', 'Add the live source')
  await guide.choose('button', 'Activate Studio')
  await page.getByText('Received. Channels can be cut to it.').waitFor()
  await guide.choose('link', 'On air')
  await guide.choose('link', 'North Four')
  await guide.choose('button', 'Cut to a live source')
  await guide.choose('radio', 'Studio')
  await guide.choose('button', 'Cut to Studio')
  await page.getByText('1 channel switched to Studio.').waitFor()
  await guide.choose('button', 'Done')
  const live = await segmentsLike(LIVE_SEGMENT)
  const unmarked = await (await fetch(playlist)).text()
  await guide.choose('link', 'Live sources')
  await guide.fill('Ad break, seconds')
  await guide.choose('button', 'Begin ad break, Studio')
  await page.getByRole('timer', { name: 'Ad break of Studio' }).waitFor()
  const breaks = await run(withValues(marked!, { STREAM: stream }))
  await guide.choose('button', 'End the ad break now, Studio')
  await guide.choose('link', 'On air')
  await guide.choose('link', 'North Four')
  await guide.choose('button', 'Return to schedule')
  await page.getByRole('dialog').waitFor()
  await guide.choose('button', 'Return to schedule')
  await page.getByText('1 channel switched to the schedule.').waitFor()
  await guide.choose('button', 'Done')
  await guide.choose('link', 'Reports')
  await guide.choose('link', 'Programs')
  await guide.choose('link', 'Today')
  await page.getByRole('row', { name: /^North Four .* Studio/ }).waitFor()
  await guide.choose('link', 'On air')
  await guide.choose('link', 'North Four')
  await guide.choose('button', 'Take off the air')
  await page.getByRole('dialog').waitFor()
  await guide.choose('radio', 'Now')
  await guide.choose('button', 'Take off the air')
  await page.getByText(/^(PENDING_)?OFFLINE$/).waitFor()
  await guide.choose('link', 'Live sources')
  await guide.choose('button', 'Deactivate Studio')
  await page.getByText('IDLE', { exact: true }).waitFor()

  assert.deepEqual(guide.left(), [])
  assert.ok(onAir.length > 0 && !onAir.some((segment) => LIVE_SEGMENT.test(segment)), onAir.join('\n'))
  assert.ok(live.length > 0)
  assert.doesNotMatch(unmarked, /CUE|DATERANGE/)
  assert.match(breaks, /EXT-X-(CUE-OUT|DATERANGE)/)
  assert.deepEqual(faults, [])
  await context.close()
})

test('following the guide with the command line tool literally gives the same', async () => {
  const [create, start] = await blocksOf('A channel')
  const [submit] = await blocksOf('A program')
  const [watch] = await blocksOf('Watch it')
  const [, createSource, cut] = await blocksOf('Cut to live')
  const [adBreak] = await blocksOf('An ad break')
  const [report] = await blocksOf('The report')
  const [stop] = await blocksOf('Off the air')
  const values: Record<string, string> = { CONTINUITY_URL: base_url, CONTINUITY_PASSWORD: password }
  const runBlocks = (...blocks: readonly string[]) => run(withValues(blocks.join('\n'), values))
  const created = await runBlocks(create!)
  const channel = /^ {2}id +(\S+)$/m.exec(created)?.[1]
  assert.ok(channel !== undefined, created)
  values['CHANNEL'] = channel
  const submitted = await runBlocks(exportsOf(create!), start!, submit!)
  const [address] = /(?<=http:\/\/127\.0\.0\.1:8081)\S+index\.m3u8/.exec(watch!) ?? []
  const playlist = `${playout_url}${address?.replace('$CHANNEL', channel)}`
  const answer = await pollUntil(async () => {
    const got = await fetch(playlist)
    return got.status === 200 ? got.text() : undefined
  }, 60_000)
  const known = [exportsOf(create!), exportsOf(start!)]
  const added = await runBlocks(...known, createSource!)
  values['SOURCE'] = /^ {2}id +(\S+)$/m.exec(added)?.[1] ?? ''
  const live = await runBlocks(...known, cut!)
  const broken = await runBlocks(...known, exportsOf(cut!), adBreak!)
  const reported = await runBlocks(...known, report!)
  const stopped = await runBlocks(...known, stop!)

  assert.match(submitted, /First night {2}SCHEDULED {2}3 of 3 READY/)
  assert.match(submitted, new RegExp(`${channel} {2}North One +(PENDING_)?ON_AIR`))
  assert.match(live, /ACTIVE[\s\S]+ 200 +OVERRIDDEN/)
  assert.match(broken, /EXT-X-(CUE-OUT|DATERANGE)[\s\S]+200 +(SCHEDULED|NOT_STARTED)/)
  assert.match(reported, /North One/)
  assert.match(stopped, /^ {2}status +(PENDING_)?OFFLINE$/m)
  assert.match(answer ?? '', /^90p\.m3u8\?sid=/m)
})

test('the same with the SDK', async () => {
  const blocks = await readBlocks('docs/first-channel-sdk.md', 'ts')
  const file = join(folder, 'first-channel.ts')
  const text = blocks.join('\n').replace('http://127.0.0.1:8080', base_url)
  await writeFile(file, inThisTest(text))
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  await symlink(join(projectRoot, 'node_modules'), join(folder, 'node_modules'))
  const settings = { extends: join(projectRoot, 'tsconfig.json'), files: [file], include: [] }
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(settings))

  await execute(join(projectRoot, 'node_modules/.bin/tsc'), ['--noEmit', '-p', folder])
  const { stdout: printed } = await execute(process.execPath, [file], {
    cwd: folder,
    env: { ...process.env, CONTINUITY_PASSWORD: password },
    timeout: 120_000,
  })

  assert.equal(blocks.length, 9)
  assert.match(printed, /^SCHEDULED READY, READY, READY$/m)
  assert.match(printed, /^90p\.m3u8\?sid=/m)
  assert.match(printed, /linear_channel_override_status: 'OVERRIDDEN'/)
  assert.match(printed, /linear_channel_name: 'North Three'/)
})

/** The folder of what receivers store. */
const LIVE_SEGMENT = /\/live\//

/** Waits until a media playlist lists such segments; returns them. */
async function listedSegments(playlist: string, pattern: RegExp): Promise<readonly string[]> {
  const found = await pollUntil(async () => {
    const answer = await fetch(playlist)
    const lines = answer.ok ? (await answer.text()).split('\n') : []
    const segments = lines.filter((line) => line !== '' && !line.startsWith('#') && pattern.test(line))
    return segments.length > 0 ? segments : undefined
  }, PATIENCE_MS)
  assert.ok(found !== undefined, `${playlist} lists no segment like ${pattern.source}`)
  return found
}

const blocksOf = async (chapter: string): Promise<readonly string[]> =>
  (await readChapter(chapter, GUIDE)).blocks('sh')

type Role = 'button' | 'combobox' | 'link' | 'radio' | 'textbox'

/** Uses the controls that a guide names in bold, one after another. */
interface Follower {
  choose(role: 'button' | 'link' | 'radio', name: string): Promise<void>
  /** With the value that the guide has after the name, or with one that it cannot contain. */
  fill(name: string, value?: string): Promise<void>
  /** Selects what the guide has after the name. */
  select(name: string): Promise<void>
  /** Chooses the file that the guide names, of a folder. */
  chooseFile(name: string, folder: string): Promise<void>
  /** The names that the guide has after the last one that was used. */
  left(): readonly string[]
}

interface Step {
  readonly name: string
  readonly value: string | undefined
}

/**
 * The controls of a guide, in order: `**Name**`, or `**Name**: `, followed by the value as code. A step that is not the
 * next one of the guide fails, and so does a control that has another accessible name in the browser.
 */
async function followInBrowser(
  file: string,
  page: Page,
  inThisTest: (text: string) => string,
): Promise<Follower> {
  const steps = stepsIn(await readFile(join(projectRoot, file), 'utf8'))
  let done = 0 // increased by each step
  const next = (name: string): Step => {
    const step = steps[done]
    assert.equal(step?.name, name, `step ${done + 1} of ${file}`)
    done += 1
    return step
  }
  const givenValue = ({ name, value }: Step): string => {
    assert.ok(value !== undefined, `${file} has no value for ${name}`)
    return inThisTest(value)
  }
  return {
    choose: async (role, name) => (await find(page, role, next(name).name)).click(),
    async fill(name, value) {
      const step = next(name)
      await (await find(page, 'textbox', step.name)).fill(value ?? givenValue(step))
    },
    async select(name) {
      const step = next(name)
      await (await find(page, 'combobox', step.name)).selectOption(givenValue(step))
    },
    async chooseFile(name, folder) {
      const step = next(name)
      const button = await find(page, 'button', step.name)
      const [chooser] = await Promise.all([page.waitForEvent('filechooser'), button.click()])
      await chooser.setFiles(join(folder, givenValue(step)))
    },
    left: () => steps.slice(done).map(({ name }) => name),
  }
}

/** In a dialog while one is open: the page behind it cannot be used. */
async function find(page: Page, role: Role, name: string): Promise<Locator> {
  const dialog = page.getByRole('dialog')
  const control = await pollUntil(async () => {
    const within = (await dialog.isVisible()) ? dialog : page
    const found = await within.getByRole(role, { name, exact: true }).all()
    if (role !== 'link') return found.length === 1 ? found[0] : undefined
    // An alert about a channel names it too, with the same link.
    const addresses = await Promise.all(found.map((link) => link.getAttribute('href')))
    return new Set(addresses).size === 1 ? found[0] : undefined
  }, PATIENCE_MS)
  assert.ok(control !== undefined, `there is no ${role} with the name ${name}, or more than one`)
  return control
}

const withoutBlocks = (text: string): string => text.replaceAll(/^```[\s\S]*?^```$/gm, '')

const stepsIn = (text: string): readonly Step[] =>
  [...withoutBlocks(text).matchAll(/\*\*([^*\n]+)\*\*(?:: `([^`\n]+)`)?/g)].map(([, name, value]) => ({
    name: name!,
    value,
  }))
