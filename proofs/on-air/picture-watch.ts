import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { addressOf, fetchAnswer } from './fetch-playlist.ts'
import { type OutputWatch, segmentsIn } from './output-watch.ts'

const execute = promisify(execFile)

/** Compares the picture of an output with the last segment of its playlist. */
export interface PictureWatch {
  /** While the clock is stopped. */
  check(nodeUrl: string): Promise<void>
  /** Number of pictures requested, and of those whose pixels were compared: one for each change of what is on air. */
  pictures(): number
  compared(): number
  readonly faults: readonly string[]
}

/** Mean difference of two pictures, of 255: compression caused up to 5, and two frames of a clip differed by 28. */
const SAME_COLOURS = 12

export function createPictureWatch({ output }: OutputWatch, rung: string): PictureWatch {
  const faults: string[] = []
  let pictures = 0
  let compared = 0
  let folder = ''
  return {
    async check(nodeUrl) {
      const { text } = await fetchAnswer(addressOf(nodeUrl, output, `${rung}.m3u8`))
      const uri = segmentsIn(text).at(-1)!.uri
      const address = new URL(uri, nodeUrl)
      const answer = await fetch(addressOf(nodeUrl, output, 'now.jpg'))
      pictures += 1
      const [before = '', name = ''] = address.pathname.split(`/${rung}/`)
      const { pathname } = new URL(answer.url)
      if (answer.status !== 200 || pathname !== `${before}/stills/${name.replace('.ts', '.jpg')}`)
        faults.push(`the picture is ${answer.status} ${pathname}, and the last segment is ${uri}`)
      else if (before !== folder) {
        folder = before
        compared += 1
        const [picture, segment] = await Promise.all([readColours(answer.url), readColours(address.href)])
        const difference = differenceOf(picture, segment)
        if (difference > SAME_COLOURS) faults.push(`${pathname} differs from its segment by ${difference}`)
      }
    },
    pictures: () => pictures,
    compared: () => compared,
    faults,
  }
}

/** The first frame of a picture or segment, in few pixels. */
async function readColours(url: string): Promise<Buffer> {
  const frame = ['-frames:v', '1', '-vf', 'scale=32:18:flags=area', '-pix_fmt', 'rgb24', '-f', 'rawvideo']
  const { stdout } = await execute('ffmpeg', ['-v', 'error', '-i', url, ...frame, 'pipe:1'], {
    encoding: 'buffer',
  })
  return stdout
}

function differenceOf(one: Buffer, other: Buffer): number {
  if (one.length === 0 || one.length !== other.length) return Number.POSITIVE_INFINITY
  return one.reduce((sum, value, at) => sum + Math.abs(value - other[at]!), 0) / one.length
}
