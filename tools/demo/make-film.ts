import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { access, mkdir, rename, writeFile } from 'node:fs/promises'
import { constants, setPriority } from 'node:os'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { DemoFilm } from './library.ts'

const FONT = fileURLToPath(
  import.meta.resolve('@expo-google-fonts/noto-sans/600SemiBold/NotoSans_600SemiBold.ttf'),
)

/** Makes the file of a film, unless it is there. A run that was killed leaves no file under that name. */
export async function makeFilm(film: DemoFilm, path: string, signal: AbortSignal): Promise<void> {
  if (
    await access(path).then(
      () => true,
      () => false,
    )
  )
    return
  await mkdir(dirname(path), { recursive: true })
  // Texts in files need no escaping.
  await writeFile(`${path}.title`, film.title)
  const unfinished = `${path}.part`
  const child = spawn('ffmpeg', args(film, `${path}.title`, unfinished), {
    stdio: ['ignore', 'ignore', 'pipe'],
    signal,
  })
  // Channels are played meanwhile.
  if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL)
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors = `${errors}${text}`.slice(-2_000)
  })
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0) throw new Error(`ffmpeg could not make ${film.title}: ${errors}`)
  await rename(unfinished, path)
}

/** Five frames a second are enough for a clock and a bar that moves. */
const FRAME_RATE = 5

function args(film: DemoFilm, titleFile: string, path: string): string[] {
  const { seconds, colour, pitch } = film
  const text = (options: string) => `drawtext=fontfile='${FONT}':fontcolor=white:${options}`
  const picture = [
    `color=c=${colour}:size=640x360:rate=${FRAME_RATE}`,
    `drawbox=y=344:h=16:w=640:c=black@0.35:t=fill`,
    `drawbox=x='640*mod(t/${seconds}\\,1)-40':y=344:w=40:h=16:c=white@0.8:t=fill`,
    text(`textfile='${titleFile}':expansion=none:fontsize=44:x=(w-tw)/2:y=110`),
    text(`text='%{pts\\:gmtime\\:0\\:%M\\\\\\:%S}':fontsize=64:x=(w-tw)/2:y=190`),
  ].join(',')
  return [
    ['-nostdin', '-v', 'error', '-y'],
    ['-f', 'lavfi', '-i', picture],
    ['-f', 'lavfi', '-i', `sine=frequency=${pitch}:sample_rate=48000`],
    ['-af', 'volume=0.15', '-t', `${seconds}`],
    ['-c:v', 'libx264', '-preset', 'ultrafast', '-tune', 'stillimage', '-crf', '28', '-pix_fmt', 'yuv420p'],
    ['-c:a', 'aac', '-b:a', '64k', '-f', 'mp4', path],
  ].flat()
}
