import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const execute = promisify(execFile)

export interface Decoded {
  readonly frames: number
  /** Segments that had left the playlist before ffmpeg read them. */
  readonly skipped: number
  /** Errors that ffmpeg printed. */
  readonly messages: readonly string[]
}

/**
 * Decodes so many seconds of a channel by ffmpeg, stopping at the first error.
 *
 * One variant is selected explicitly: by default ffmpeg takes video and audio of different variants, reads the one that
 * is behind by its timestamps, and starves the other where timestamps restart at a join. ffmpeg does not read
 * EXT-X-DISCONTINUITY: it closes a jump forward only if it exceeds a threshold, 10 s by default, and counts a smaller one
 * as time without frames. Timestamps of a live source and a slate can be that close. With a threshold below the length of
 * a segment no jump is left, so a segment that ffmpeg skips has to be counted by its warning.
 */
export async function decodeLive(address: string, seconds: number): Promise<Decoded> {
  const input = ['-dts_delta_threshold', '1', '-i', address]
  const variant = ['-map', '0:v:0', '-map', '0:a:0', '-t', `${seconds}`]
  const strict = ['-hide_banner', '-nostdin', '-v', 'level+warning', '-xerror']
  const args = [...strict, ...input, ...variant, '-progress', 'pipe:1']
  const timeout = seconds * 1_000 + 60_000
  try {
    const { stdout, stderr } = await execute('ffmpeg', [...args, '-f', 'null', '-'], { timeout })
    return { frames: framesIn(stdout), skipped: skippedIn(stderr), messages: errorsIn(stderr) }
  } catch (error) {
    const { stdout = '', stderr = '', message } = error as Failure
    return {
      frames: framesIn(stdout),
      skipped: skippedIn(stderr),
      messages: [...errorsIn(stderr), message.split('\n', 1)[0] ?? ''],
    }
  }
}

interface Failure extends Error {
  readonly stdout?: string
  readonly stderr?: string
}

/** Progress is printed repeatedly; the last value counts. */
const framesIn = (progress: string): number => Number(/.*frame=(\d+)/s.exec(progress)?.[1] ?? Number.NaN)

const skippedIn = (printed: string): number =>
  [...printed.matchAll(/skipping (\d+) segments ahead/g)].reduce((sum, [, count]) => sum + Number(count), 0)

const errorsIn = (printed: string): string[] =>
  printed.split('\n').filter((line) => line !== '' && !line.includes('[warning]'))
