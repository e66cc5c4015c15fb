import { mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { startOrigin } from '@continuity/dev/origin'
import { makeSmallFiles } from '@continuity/dev/small-files'
import { startTestSource, usualSource } from '@continuity/test-source/test-source'
import { aHome } from '../start/home.ts'
import { runIn } from './guide.ts'

/** Starts the system with the films and the live source that the guides to a first channel use. It ends with the file. */
export async function startForGuides() {
  const opened = new AsyncDisposableStack()
  after(() => opened.disposeAsync())
  const home = await aHome({ after })
  const folder = await mkdtemp(join(tmpdir(), 'continuity-getting-started-'))
  opened.defer(() => rm(folder, { recursive: true, force: true }))
  const origin = opened.use(await startOrigin(await makeFilms(join(folder, 'films'))))
  const source = opened.use(await startTestSource({ ...usualSource, size: '160x90', segmentSeconds: 1 }))
  const sourceHost = new URL(source.url).host
  const env = { OUTBOUND_ALLOW: `${origin.host},${sourceHost}`, LADDER: '160x90@100+64' }
  const { base_url, playout_url, password } = await home.start({ after }, { env }).ready()
  /** What the guides contain, and what a test has in its place. */
  const replaced = {
    '127.0.0.1:9000': origin.host,
    '127.0.0.1:9001': sourceHost,
    '127.0.0.1:8081': new URL(playout_url!).host,
    '360p': '90p',
  }
  const inThisTest = (text: string): string =>
    Object.entries(replaced).reduce((changed, [from, to]) => changed.replaceAll(from, to), text)
  return {
    opened,
    folder,
    base_url,
    playout_url: playout_url!,
    password,
    inThisTest,
    run: (lines: string) => runIn(folder, inThisTest(lines)),
  }
}

async function makeFilms(folder: string): Promise<string> {
  const [one, two] = await makeSmallFiles(folder, 2, [6, 4])
  await rename(join(folder, one!), join(folder, 'one.mp4'))
  await rename(join(folder, two!), join(folder, 'two.mp4'))
  return folder
}
