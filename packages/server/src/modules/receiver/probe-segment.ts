import { rm, writeFile } from 'node:fs/promises'
import { probeCommand } from '@continuity/core/packaging/commands'
import type { LiveContainer, LiveSound } from '@continuity/core/packaging/live-command'
import type { VideoFacts } from '@continuity/core/packaging/media-facts'
import { readProbe, readSoundProbe, readStarts } from '@continuity/core/packaging/read-probe'
import { ProgramFailed } from '../../platform/programs/program-failed.ts'
import type { ProgramLimits, RunProgram } from '../../platform/programs/program-options.ts'
import { SourceFault } from './source-fault.ts'
import type { ReceivedSegment } from './track-reader.ts'

/** What the encoder needs to know of the segments of a source up to the next break. */
export interface SourceFacts extends PictureFacts {
  readonly sound: LiveSound
}

export interface PictureFacts {
  readonly container: LiveContainer
  readonly video: VideoFacts
}

/** Probes a segment. Throws a SourceFault if it cannot be encoded. */
export interface SegmentProber {
  /** For muxed video and audio. */
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
  /** A unique file name in the folder of this process. */
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
  /** A segment that does not start with a key frame cannot be joined to others. */
  const requireKeyFrame = async (index: number) => {
    const args = ['-v', 'error', '-protocol_whitelist', 'file', '-select_streams', `${index}`]
    const shown = ['-show_entries', 'packet=flags', '-of', 'csv=p=0', '-read_intervals', '%+#1']
    const stdout = await run('ffprobe', [...args, ...shown, `file:${file}`])
    if (!stdout.startsWith('K')) throw noKeyFrame()
  }
  const readPicture = async (stdout: string) => {
    const probed = readProbe(stdout)
    if (probed.kind === 'rejected') {
      if (probed.code !== 'media.no_video') throw new SourceFault('source.undecodable', probed.message)
      // The size of the video is in the parameter sets that come with a key frame.
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
        // ffmpeg starts MPEG-TS with the first of the streams that it uses, and MP4 with the first of all.
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
