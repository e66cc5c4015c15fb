import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Figures, median, round } from '@continuity/dev/figures'
import { requestsPerSecond } from '../../engine/load.ts'
import { printLoadScript } from '../../session/load-script.ts'
import { transactionsPerSecond, writeScript } from '../client/pgbench.ts'
import { BIG_ACCOUNT } from '../load/accounts.ts'
import { plainColumns } from '../load/plain-table.ts'
import { drawVideos } from './draw-videos.ts'
import { measureInRounds, ratiosOf, type Subject } from './subject.ts'

const CLIENTS = 8
const VIDEOS = 10_000

/** One video by its id against one row of plain columns by its number, which is the cheaper key. */
export async function measureSingleRead(subject: Subject): Promise<Figures> {
  const { catalog, server, sessions, folder, secondsPerRound: seconds } = subject
  const drawn = await drawVideos(catalog.ownerUrl, subject.videos, VIDEOS)
  const load = join(folder, 'single-read.lua')
  const paths = drawn.map(({ video_id }) => `/api/2.1/videos/${video_id}`)
  await writeFile(load, printLoadScript(sessions, paths))
  const script = await writeScript(folder, 'plain-row', [
    `\\set n random(0, ${subject.videos - 1})`,
    `select ${plainColumns} from bench_plain where account_id = '${BIG_ACCOUNT}' and n = :n;`,
  ])
  const measured = await measureInRounds(subject, 'one video', {
    ours: () => requestsPerSecond(server, { path: '/', script: load }, { connections: CLIENTS, seconds }),
    plain: () =>
      transactionsPerSecond({
        binDir: catalog.binDir,
        url: catalog.ownerUrl,
        script,
        clients: CLIENTS,
        seconds,
      }),
  })
  return {
    read_ratio: round(median(ratiosOf(measured.ours, measured.plain)), 3),
    read_requests_per_second: Math.round(median(measured.ours)),
    read_bare_per_second: Math.round(median(measured.plain)),
  }
}
