import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** One byte for each pixel. */
export type Picture = Buffer

/** How a film of the demo looks; written here apart from the code that draws it. */
const WIDTH = 640
const HEIGHT = 360
const TITLE_SIZE = 44
const CLOCK_SIZE = 64
const FONT = fileURLToPath(
  import.meta.resolve('@expo-google-fonts/noto-sans/600SemiBold/NotoSans_600SemiBold.ttf'),
)

/** Every second pixel in each direction is enough for letters of this size. */
const STEP = 2

/** How far a text may be from the middle of the picture. */
const ASIDE = 4

export interface Template {
  readonly pixels: Picture
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

export interface TitleScore {
  readonly title: string
  /** Of the place where it fits best: 1 for the same picture, about 0 for another one. */
  readonly score: number
  readonly bottom: number
}

export interface Clock {
  readonly seconds: number
  /** Of its worst digit. */
  readonly score: number
}

/** A picture file in the size of the films, in grey. */
export const toPicture = async (png: Buffer): Promise<Picture> =>
  runFfmpeg(['-f', 'png_pipe', '-i', 'pipe:0', '-vf', `scale=${WIDTH}:${HEIGHT}:flags=area`], png)

/** White on black in the middle, as a film has it, one for each title. */
export async function drawTitles(titles: readonly string[]): Promise<readonly Template[]> {
  const texts = titles.map((title, at) => `text='${title}':fontsize=${TITLE_SIZE}:enable='eq(n\\,${at})'`)
  return (await drawTexts(texts, titles.length)).map(inkOf)
}

/** The digits 0 to 9 at each of the four places of a clock. */
export async function drawDigits(): Promise<readonly (readonly Template[])[]> {
  const texts = Array.from({ length: 10 }, (_, digit) => {
    const pair = `${digit}${digit}`
    return `text='${pair}\\:${pair}':fontsize=${CLOCK_SIZE}:enable='eq(n\\,${digit})'`
  })
  const drawn = await drawTexts(texts, 10)
  // The widest digit has the place that each of them gets; the colon is between the second and the third.
  const [one, two, , three, four] = runsOfInk(drawn[8]!)
  const { top, height } = inkOf(drawn[8]!)
  return drawn.map((pixels) =>
    [one!, two!, three!, four!].map(([left, width]) => ({ pixels, left, width, top, height })),
  )
}

/** How well titles fit to the upper half of a picture, the best first. */
export function compareTitles(
  picture: Picture,
  titles: readonly string[],
  templates: readonly Template[],
): readonly TitleScore[] {
  const scores = titles.map((title, at): TitleScore => {
    const template = templates[at]!
    let best = { title, score: -1, bottom: 0 }
    for (const { left, top } of placesOf(template, 0, HEIGHT / 2)) {
      const score = similarity(picture, left, top, template)
      if (score > best.score) best = { title, score, bottom: top + template.height }
    }
    return best
  })
  return scores.toSorted((one, other) => other.score - one.score)
}

/** Minutes and seconds below a line of the picture. */
export function readClock(
  picture: Picture,
  digits: readonly (readonly Template[])[],
  fromTop: number,
): Clock {
  let best: Clock = { seconds: Number.NaN, score: -1 }
  const first = digits[0]![0]!
  for (const { left, top } of placesOf(first, fromTop, HEIGHT)) {
    const read = [0, 1, 2, 3].map((at) => {
      const place = left + digits[0]![at]!.left - first.left
      const scores = digits.map((each) => similarity(picture, place, top, each[at]!))
      const score = Math.max(...scores)
      return { digit: scores.indexOf(score), score }
    })
    const score = Math.min(...read.map((it) => it.score))
    const [tens, ones, tenSeconds, seconds] = read.map(({ digit }) => digit) as [
      number,
      number,
      number,
      number,
    ]
    if (score > best.score) best = { seconds: (tens * 10 + ones) * 60 + tenSeconds * 10 + seconds, score }
  }
  return best
}

function* placesOf({ left, height }: Template, fromTop: number, toBottom: number) {
  for (let top = fromTop; top + height <= toBottom; top += 1)
    for (let aside = -ASIDE; aside <= ASIDE; aside += STEP) yield { left: left + aside, top }
}

/** Normalised correlation: neither the colour behind a text nor its contrast counts. */
function similarity(picture: Picture, left: number, top: number, template: Template): number {
  let [count, sumA, sumB, squareA, squareB, product] = [0, 0, 0, 0, 0, 0]
  for (let y = 0; y < template.height; y += STEP) {
    const rowA = (top + y) * WIDTH + left
    const rowB = (template.top + y) * WIDTH + template.left
    for (let x = 0; x < template.width; x += STEP) {
      const a = picture[rowA + x]!
      const b = template.pixels[rowB + x]!
      count += 1
      sumA += a
      sumB += b
      squareA += a * a
      squareB += b * b
      product += a * b
    }
  }
  const variances = (squareA - sumA ** 2 / count) * (squareB - sumB ** 2 / count)
  return variances <= 0 ? 0 : (product - (sumA * sumB) / count) / Math.sqrt(variances)
}

/** The part of a drawn text that is not black. */
function inkOf(pixels: Picture): Template {
  const rows = Array.from({ length: HEIGHT }, (_, y) => y).filter((y) =>
    pixels.subarray(y * WIDTH, (y + 1) * WIDTH).some((value) => value > 64),
  )
  const runs = runsOfInk(pixels)
  const [top, left] = [rows[0]!, runs[0]![0]]
  const right = runs.at(-1)![0] + runs.at(-1)![1]
  return { pixels, left, top, width: right - left, height: rows.at(-1)! + 1 - top }
}

/** Left edge and width of each glyph that is apart from the next one. */
function runsOfInk(pixels: Picture): readonly (readonly [number, number])[] {
  const hasInk = Array.from({ length: WIDTH }, (_, x) => {
    for (let y = 0; y < HEIGHT; y += 1) if (pixels[y * WIDTH + x]! > 64) return true
    return false
  })
  const edges = hasInk.flatMap((it, x) => (it !== (hasInk[x - 1] ?? false) ? x : []))
  return edges.flatMap((left, at) => (at % 2 === 0 ? [[left, edges[at + 1]! - left] as const] : []))
}

async function drawTexts(texts: readonly string[], count: number): Promise<readonly Picture[]> {
  const drawn = texts.map(
    (text) => `drawtext=fontfile='${FONT}':fontcolor=white:x=(w-tw)/2:y=(h-th)/2:${text}`,
  )
  const source = [`color=c=black:size=${WIDTH}x${HEIGHT}:rate=1:duration=${count}`, ...drawn].join(',')
  const bytes = await runFfmpeg(['-f', 'lavfi', '-i', source])
  const size = WIDTH * HEIGHT
  return Array.from({ length: count }, (_, at) => bytes.subarray(at * size, (at + 1) * size))
}

async function runFfmpeg(args: readonly string[], input?: Buffer): Promise<Buffer> {
  const output = ['-pix_fmt', 'gray', '-f', 'rawvideo', 'pipe:1']
  const child = spawn('ffmpeg', ['-v', 'error', ...args, ...output])
  const chunks: Buffer[] = []
  const errors: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
  child.stderr.on('data', (chunk: Buffer) => errors.push(chunk))
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  await once(child, 'close')
  const bytes = Buffer.concat(chunks)
  if (bytes.length === 0 || bytes.length % (WIDTH * HEIGHT) !== 0)
    throw new Error(`ffmpeg made no picture: ${Buffer.concat(errors).toString()}`)
  return bytes
}
