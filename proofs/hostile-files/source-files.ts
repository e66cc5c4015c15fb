import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { runTool } from '@continuity/dev/run-tool'

/** Valid files from which the hostile ones are made. */
export type Sources = Readonly<Record<keyof typeof commands, Buffer>>

const picture = (size: string, seconds: number) => [
  '-f',
  'lavfi',
  '-i',
  `testsrc2=size=${size}:rate=30:duration=${seconds}`,
]
const sound = ['-f', 'lavfi', '-i', 'sine=frequency=300:duration=2']
const quick = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p']

/** Three frames, the last of them 30 hours after the others. */
const THIRTY_HOURS = ['-vf', "setpts='if(gte(N,2),108000/TB,N/30/TB)'", '-fps_mode', 'passthrough']

const commands = {
  'good.mp4': [...picture('160x90', 2), ...sound, ...quick, '-shortest'],
  'quick.mp4': [...picture('160x90', 2), ...quick, '-movflags', '+faststart'],
  'good.mkv': [...picture('160x90', 2), ...quick],
  'good.ts': [...picture('144x80', 2), ...quick],
  'long.mp4': [...picture('160x90', 0.1), ...THIRTY_HOURS, ...quick],
  'long.mkv': [...picture('160x90', 0.1), ...THIRTY_HOURS, ...quick],
  // Without a seekable output the duration is not written to the file.
  'no-duration.mkv': [...picture('160x90', 0.1), ...THIRTY_HOURS, ...quick, '-live', '1'],
  'wide.mp4': [...picture('16384x16', 0.2), ...quick],
  // Its picture size is in the container only.
  'head.mkv': [...picture('640x16', 0.2), '-c:v', 'ffv1'],
  'raw.avi': [...picture('16x16', 0.2), '-c:v', 'rawvideo'],
  'pictures.avi': [...picture('160x90', 0.2), '-c:v', 'mjpeg'],
  'sound.m4a': sound,
  'sound.mp3': sound,
  'cover.m4a': [...sound, ...picture('160x90', 0.03), '-c:v', 'mjpeg', '-disposition:v', 'attached_pic'],
  'still.mp4': [...picture('160x90', 0.03), ...quick],
  'still.png': [...picture('160x90', 0.03), '-frames:v', '1'],
  'still.jpg': [...picture('160x90', 0.03), '-frames:v', '1'],
} as const satisfies Record<string, readonly string[]>

export async function makeSources(folder: string): Promise<Sources> {
  const made: [string, Buffer][] = []
  for (const [name, args] of Object.entries(commands)) {
    const file = join(folder, name)
    await runTool('ffmpeg', ['-v', 'error', ...args, file])
    made.push([name, await readFile(file)])
  }
  return Object.fromEntries(made) as Sources
}
