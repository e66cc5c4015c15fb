import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { runTool } from '@continuity/dev/run-tool'

/** Bits of the number in a picture, in columns of black and white. */
const BITS = 16
const WHITE = 255

/** The number of a frame that is no frame of a film. */
export const SLATE_NUMBER = 2 ** BITS - 1

/** Makes a film whose frames show their numbers, with a tone. */
export async function makeFilm(
  file: string,
  {
    frames,
    frameRate,
    first,
  }: { readonly frames: number; readonly frameRate: number; readonly first?: number },
): Promise<void> {
  const picture = [
    '-f',
    'rawvideo',
    '-pix_fmt',
    'gray',
    '-s',
    `${BITS}x1`,
    '-r',
    `${frameRate}`,
    '-i',
    'pipe:0',
  ]
  const sound = ['-f', 'lavfi', '-i', `sine=f=440:r=48000:d=${frames / frameRate}`]
  const encoding = [
    '-c:v',
    'libx264',
    '-preset',
    'ultrafast',
    '-crf',
    '10',
    '-pix_fmt',
    'yuv420p',
    '-c:a',
    'aac',
  ]
  const args = ['-v', 'error', '-y', ...picture, ...sound, '-vf', 'scale=128:72:flags=neighbor', ...encoding]
  const child = spawn('ffmpeg', [...args, '-f', 'mp4', file], { stdio: ['pipe', 'ignore', 'inherit'] })
  const ended = once(child, 'exit')
  child.stdin.end(Buffer.concat(Array.from({ length: frames }, (_, at) => pictureOf(first ?? at))))
  const [code] = (await ended) as [number | null]
  if (code !== 0) throw new Error(`ffmpeg ended with ${code}`)
}

const pictureOf = (number: number): Buffer =>
  Buffer.from(Array.from({ length: BITS }, (_, bit) => ((number >> bit) & 1) * WHITE))

/** Decodes a playlist, and returns the number that each frame shows, with everything that ffmpeg complains about. */
export async function readNumbers(
  playlist: string,
): Promise<{ readonly numbers: readonly number[]; readonly complaints: readonly string[] }> {
  const picture = ['-map', '0:v', '-vf', `scale=${BITS}:1:flags=area`, '-fps_mode', 'passthrough']
  const raw = [...picture, '-pix_fmt', 'gray', '-f', 'rawvideo', 'pipe:1']
  const sound = ['-map', '0:a', '-f', 'null', '-']
  const { stdout, stderr } = await runTool('ffmpeg', ['-v', 'error', '-i', playlist, ...raw, ...sound])
  const numbers = Array.from({ length: stdout.length / BITS }, (_, at) =>
    Array.from({ length: BITS }, (_, bit) => (stdout[at * BITS + bit]! > WHITE / 2 ? 2 ** bit : 0)).reduce(
      (sum, value) => sum + value,
      0,
    ),
  )
  return { numbers, complaints: stderr.toString().split('\n').filter(Boolean) }
}
