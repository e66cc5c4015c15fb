import { closeSync, createReadStream, createWriteStream, openSync, writeSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { setImmediate } from 'node:timers/promises'
import { type OnAir, planChannel, playlistPath, printChannel } from './bench-channel.ts'

/** Many channels in one file, of which a node gets the first ones. */
export interface PlannedChannels {
  /** Path of one media playlist per channel. */
  readonly paths: readonly string[]
  /** Writes the first channels as the snapshot of a node. */
  writeTo(folder: string, count: number): Promise<void>
}

export async function planChannels(folder: string, count: number, onAir: OnAir): Promise<PlannedChannels> {
  const file = join(folder, 'all-steps')
  const paths: string[] = []
  const ends: number[] = []
  const out = openSync(file, 'w')
  for (let number = 0; number < count; number += 1) {
    // It takes a minute in all, and heartbeats must be sent meanwhile.
    await setImmediate()
    const planned = planChannel(number, onAir)
    const frame = printChannel(planned)
    writeSync(out, frame)
    paths.push(playlistPath(planned.channel))
    ends.push((ends.at(-1) ?? 0) + frame.length)
  }
  closeSync(out)
  return {
    paths,
    async writeTo(to, wanted) {
      await mkdir(to, { recursive: true })
      const part = createReadStream(file, { end: ends[wanted - 1]! - 1 })
      await pipeline(part, createWriteStream(join(to, 'steps.log')))
    },
  }
}
