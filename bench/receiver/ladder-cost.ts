import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Ladder } from '@continuity/core/media/ladder'
import { round } from '@continuity/dev/figures'
import { bareArguments } from '../packaging/bare-ffmpeg.ts'
import { childCpuMs } from '../packaging/child-cpu.ts'
import { format } from './house-format.ts'
import { makeLiveFilm } from './live-film.ts'

const run = promisify(execFile)
const SECONDS = 6

export interface LadderCost {
  /** Cores that bare ffmpeg needs to encode the ladder in real time; a machine may have fewer. */
  readonly cores: number
  /** Encoding speed of this machine, as a multiple of real time. */
  readonly speed: number
}

/** Encodes a ladder at full speed. */
export async function measureLadder(ladder: Ladder, preset: string): Promise<LadderCost> {
  await using opened = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'continuity-bench-'))
  opened.defer(() => rm(folder, { recursive: true, force: true }))
  const { width, height } = ladder.at(-1)!
  const film = await makeLiveFilm(opened, { folder, seconds: SECONDS, size: `${width}x${height}` })
  const [startMs, startCpuMs] = [performance.now(), childCpuMs()]
  await run('ffmpeg', bareArguments(film.file, folder, { ladder, preset, format }))
  const mediaMs = SECONDS * 1_000
  return {
    cores: round((childCpuMs() - startCpuMs) / mediaMs, 2),
    speed: round(mediaMs / (performance.now() - startMs), 2),
  }
}
