import { rm, writeFile } from 'node:fs/promises'
import { probeCommand } from '@continuity/core/packaging/commands'
import type { LiveContainer, LiveSound } from '@continuity/core/packaging/live-command'
import type { VideoFacts } from '@continuity/core/packaging/media-facts'
import { readProbe, readSoundProbe, readStarts } from '@continuity/core/packaging/read-probe'
import { ProgramFailed } from '../../platform/programs/program-failed.ts'
import type { ProgramLimits, RunProgram } from '../../platform/programs/program-order.ts'
import { SourceFault } from './source-fault.ts'
import type { ReceivedSegment } from './track-reader.ts'

/** What the encoder has to know of a source, as its segments are from here to the next break. */
export interface SourceFacts extends PictureFacts {
  readonly sound: LiveSound
}

export interface PictureFacts {
  readonly container: LiveContainer
  readonly video: VideoFacts
}

/** Looks what a segment is. What cannot be made into house segments is a fault of the source. */
export interface SegmentProber {
  /** Picture and sound in one. */
  probe(segment: ReceivedSegment): Promise<SourceFacts>
  probePicture(segment: ReceivedSegment): Promise<StartedPicture>
  probeSound(segment: ReceivedSegment): Promise<SoundFacts>
}

export interface StartedPicture extends PictureFacts {
  readonly startMs: number
}

export interface SoundFacts {
  readonly container: LiveContainer
  readonly index: number
  readonly startMs: number
}

export interface ProberOptions {
  readonly runProgram: RunProgram
  /** A name in the folder of this process that no other prober has. */
  readonly file: string
  readonly signal: AbortSignal
}

const limits: ProgramLimits = { timeMs: 15_000, cpuMs: 15_000, memoryBytes: 4 * 2 ** 30 }

export function createProber({ runProgram, file, signal }: ProberOptions): SegmentProber {
  const run = async (program: string, args: readonly string[]) => {
    const running = runProgram({ program, args, limits, signal })
    const { stdout } = await running.catch((cause: unknown) => {
      if (!(cause instanceof ProgramFailed)) throw cause
      throw new SourceFault('source.undecodable', 'Segments of the source cannot be decoded.', { cause })
    })
    return stdout
  }
  const runProbe = async <T>({ bytes, map }: ReceivedSegment, read: (stdout: string) => Promise<T> | T) => {
    await writeFile(file, Buffer.concat([map, bytes]))
    try {
      const { program, args } = probeCommand(file)
      return await read(await run(program, args))
    } finally {
      await rm(file, { force: true })
    }
  }
  /** Without one at its beginning a segment cannot be joined to anything, and a viewer waits for the next. */
  const requireKeyFrame = async (index: number) => {
    const args = ['-v', 'error', '-protocol_whitelist', 'file', '-select_streams', `${index}`]
    const shown = ['-show_entries', 'packet=flags', '-of', 'csv=p=0', '-read_intervals', '%+#1']
    const stdout = await run('ffprobe', [...args, ...shown, `file:${file}`])
    if (!stdout.startsWith('K')) throw noKeyFrame()
  }
  const readPicture = async (stdout: string) => {
    const probed = readProbe(stdout)
    if (probed.kind === 'refused') {
      if (probed.code !== 'media.no_video') throw new SourceFault('source.undecodable', probed.message)
      // Its size is in the parameters that come with a key frame.
      if (stdout.includes('"codec_type": "video"')) throw noKeyFrame()
      throw new SourceFault('source.no_video', probed.message)
    }
    return probed.facts
  }
  return {
    probe: (segment) =>
      runProbe(segment, async (stdout) => {
        const { video, audio } = await readPicture(stdout)
        if (audio === null) throw noAudio()
        await requireKeyFrame(video.index)
        return { container: containerOf(segment), video, sound: { kind: 'muxed', index: audio.index } }
      }),
    probePicture: (segment) =>
      runProbe(segment, async (stdout) => {
        const { video } = await readPicture(stdout)
        await requireKeyFrame(video.index)
        const container = containerOf(segment)
        const { fileMs, streamMs } = readStarts(stdout, video.index)
        // ffmpeg lets MPEG-TS begin with the first of the streams that it uses, and MP4 with the first of all.
        return { container, video, startMs: container === 'mpegts' ? streamMs : fileMs }
      }),
    probeSound: (segment) =>
      runProbe(segment, (stdout) => {
        const probed = readSoundProbe(stdout)
        if (probed === undefined) throw noAudio()
        return { container: containerOf(segment), index: probed.audio.index, startMs: probed.startMs }
      }),
  }
}

const containerOf = ({ map }: ReceivedSegment): LiveContainer => (map.length > 0 ? 'mp4' : 'mpegts')

const noAudio = () => new SourceFault('source.no_audio', 'The source has no sound.')

const noKeyFrame = () =>
  new SourceFault('source.no_key_frame', 'Segments of the source do not begin with a key frame.')
