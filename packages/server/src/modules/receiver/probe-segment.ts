import { rm, writeFile } from 'node:fs/promises'
import { probeCommand } from '@continuity/core/packaging/commands'
import type { VideoFacts } from '@continuity/core/packaging/media-facts'
import { readProbe } from '@continuity/core/packaging/read-probe'
import { ProgramFailed } from '../../platform/programs/program-failed.ts'
import type { ProgramLimits, RunProgram } from '../../platform/programs/program-order.ts'
import { SourceFault } from './source-fault.ts'
import type { ReceivedSegment } from './source-reader.ts'

/** What the encoder has to know of a source, as its segments are from here to the next break. */
export interface SourceFacts {
  readonly container: 'mpegts' | 'mp4'
  readonly video: VideoFacts
  readonly audioIndex: number
}

const limits: ProgramLimits = { timeMs: 15_000, cpuMs: 15_000, memoryBytes: 4 * 2 ** 30 }

/** Looks what a segment is. What cannot be made into house segments is a fault of the source. */
export async function probeSegment(
  runProgram: RunProgram,
  { bytes, map }: Pick<ReceivedSegment, 'bytes' | 'map'>,
  file: string,
  signal: AbortSignal,
): Promise<SourceFacts> {
  await writeFile(file, Buffer.concat([map, bytes]))
  try {
    const { stdout } = await undecodableUnless(runProgram({ ...probeCommand(file), limits, signal }))
    const probed = readProbe(stdout)
    if (probed.kind === 'refused') {
      if (probed.code !== 'media.no_video') throw new SourceFault('source.undecodable', probed.message)
      // Its size is in the parameters that come with a key frame.
      if (stdout.includes('"codec_type": "video"')) throw noKeyFrame()
      throw new SourceFault('source.no_video', probed.message)
    }
    const { video, audio } = probed.facts
    if (audio === null) throw new SourceFault('source.no_audio', 'The source has no sound.')
    await requireKeyFrame(runProgram, file, video.index, signal)
    return { container: map.length > 0 ? 'mp4' : 'mpegts', video, audioIndex: audio.index }
  } finally {
    await rm(file, { force: true })
  }
}

/** Without one at its beginning a segment cannot be joined to anything, and a viewer waits for the next. */
async function requireKeyFrame(
  runProgram: RunProgram,
  file: string,
  index: number,
  signal: AbortSignal,
): Promise<void> {
  const args = ['-v', 'error', '-protocol_whitelist', 'file', '-select_streams', `${index}`]
  const shown = ['-show_entries', 'packet=flags', '-of', 'csv=p=0', '-read_intervals', '%+#1', `file:${file}`]
  const order = { program: 'ffprobe', args: [...args, ...shown], limits, signal }
  const { stdout } = await undecodableUnless(runProgram(order))
  if (!stdout.startsWith('K')) throw noKeyFrame()
}

const noKeyFrame = () =>
  new SourceFault('source.no_key_frame', 'Segments of the source do not begin with a key frame.')

async function undecodableUnless<T>(running: Promise<T>): Promise<T> {
  return running.catch((cause: unknown) => {
    if (!(cause instanceof ProgramFailed)) throw cause
    throw new SourceFault('source.undecodable', 'Segments of the source cannot be decoded.', { cause })
  })
}
