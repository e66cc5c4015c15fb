import { mkdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { round } from '@continuity/dev/figures'
import { mediaFolder } from '@continuity/dev/make-home'
import { measured } from '@continuity/dev/measured'
import { startOrigin } from '@continuity/dev/origin'
import { runTool } from '@continuity/dev/run-tool'
import { proof } from './proof.ts'
import { checkPackage } from './shared/check-package.ts'
import { callerOf } from './shared/control-room.ts'
import { aProgramOf, openSession, untilEnded } from './shared/ingest-system.ts'
import { startSite } from './shared/site.ts'

const formats = [
  { frameRate: 30, segmentMs: 3_200, loudnessLufs: -23 },
  { frameRate: 25, segmentMs: 3_200, loudnessLufs: -24 },
  { frameRate: 30, segmentMs: 6_400, loudnessLufs: -16 },
] as const
const LADDER = '128x72@120+64,240x136@300+96'
const RENDITIONS = 2
const LARGEST = { folder: '136p', width: 240, height: 136 }

interface MediaSize {
  readonly shapes: readonly ShapeName[]
  readonly formats: number
  readonly withinMs: number
}

export const media = proof<MediaSize>({
  name: 'media',
  title: 'Files of many shapes become the house format',
  promise:
    'Files of every frame rate, aspect ratio, rotation, sound, codec and depth that partners send, some of them very ' +
    'short, with a wrong extension or with sound that is longer than the picture, are submitted to accounts of several ' +
    'formats. Every byte of every segment is read by a reader that shares no code with the packager: all renditions have ' +
    'the same segments, each begins with an IDR frame, all but the last have one length, no tail is shorter than a GOP, ' +
    'picture and sound continue from one segment to the next to the tick, playlists state what the segments are, ffmpeg ' +
    'decodes every frame without a message, a disc stays a disc of its size, and the loudness is within 1 LU of the target.',
  sizes: {
    small: {
      shapes: ['rate-23-976', 'wide-pixels', 'long-sound', 'sound-44100', 'lying-name'],
      formats: 1,
      withinMs: 300_000,
    },
    full: { shapes: Object.keys(recipesOf()) as ShapeName[], formats: formats.length, withinMs: 1_800_000 },
  },
  async run({ size, log }) {
    await using opened = new AsyncDisposableStack()
    const site = await startSite(opened)
    const files = join(site.home, 'files')
    await mkdir(files)
    const shapes: Shape[] = []
    for (const name of size.shapes) shapes.push(await makeShape(files, name))
    const origin = opened.use(await startOrigin(files))
    const { url } = await site.startApi({
      name: 'api',
      settings: { MEDIA_BASE_URL: 'https://media.example/' },
    })
    await site.startWorker({
      name: 'worker',
      settings: {
        LADDER,
        ENCODER_PRESET: 'ultrafast',
        MEDIA_STORE: mediaFolder(site.home),
        OUTBOUND_ALLOW: origin.host,
      },
    })

    const faults: string[] = []
    const read = { packages: 0, segments: 0, bytes: 0, seconds: 0, loudness: 0 }
    for (const format of formats.slice(0, size.formats)) {
      const { frameRate, segmentMs, loudnessLufs } = format
      const name = `format-${frameRate}-${segmentMs}`
      const [login] = await site.addAccount(name, { frame_rate: frameRate, segment_ms: segmentMs })
      const { call, submit, statusOf } = callerOf(url, (await openSession(url, login)).headers)
      await call('PATCH', '/api/2.1/account', { loudness_lufs: loudnessLufs })
      const channel = await call<{ linear_channel_id: string }>('POST', '/api/2.3/linear_channels', {
        title: name,
      })
      const named = shapes.map(({ file }) => ({ name: file, address: origin.addressOf(file) }))
      const requestId = await submit(aProgramOf(channel.linear_channel_id, named))
      const { items } = await untilEnded({ statusOf }, requestId, { withinMs: size.withinMs })
      log(`${name}: packaged`)

      for (const shape of shapes) {
        const item = items.find((it) => it.video_source_id === shape.file)
        const [row] = await site.sql.query<{ path: string | null }>(
          'select package_path as path from assets where video_id = $1',
          [item?.video_id],
        )
        if (typeof row?.path !== 'string') {
          faults.push(`${name}, ${shape.name} is ${item?.state} ${item?.reason?.message}`)
          continue
        }
        const folder = join(mediaFolder(site.home), row.path)
        const checked = await checkPackage(folder)
        const seconds = checked.frames / checked.renditions / frameRate
        const own = [
          ...checked.faults,
          ...checkLength(seconds, shape),
          ...(await checkPictureAndSound(
            join(folder, LARGEST.folder, 'main.m3u8'),
            shape,
            loudnessLufs,
          ).catch((error: unknown) => [String(error)])),
        ]
        faults.push(...own.map((fault) => `${name}, ${shape.name}: ${fault}`))
        read.packages += 1
        read.segments += checked.segments
        read.bytes += checked.bytes
        read.seconds += checked.renditions * seconds
        read.loudness += hasLoudness(shape) ? 1 : 0
      }
    }
    for (const fault of faults.slice(0, 20)) log(fault)
    const packages = size.shapes.length * size.formats
    const seconds = shapes.reduce((sum, shape) => sum + Math.max(1.6, shape.seconds), 0)
    return measured({
      packages_checked: [read.packages, { is: packages }],
      segments_read: [read.segments, { atLeast: RENDITIONS * packages }],
      bytes_read: [read.bytes, { atLeast: RENDITIONS * packages * 10_000 }],
      seconds_decoded: [
        round(read.seconds, 1),
        { atLeast: round(0.98 * RENDITIONS * size.formats * seconds, 1) },
      ],
      packages_whose_loudness_was_measured: [
        read.loudness,
        { is: shapes.filter(hasLoudness).length * size.formats },
      ],
      faults: [faults.length, { is: 0 }],
    })
  },
})

/** Loudness cannot be measured in less than three seconds. */
const hasLoudness = ({ hasSound, seconds }: Shape): boolean => hasSound && seconds > 3

/** Frame rates are converted and containers round, so a few frames more or less are allowed. */
const checkLength = (seconds: number, { seconds: expected }: Shape): string[] =>
  Math.abs(seconds - Math.max(1.6, expected)) < 0.1 ? [] : [`lasts ${seconds} s`]

async function checkPictureAndSound(playlist: string, shape: Shape, loudnessLufs: number): Promise<string[]> {
  const { width, height } = LARGEST
  const { wide, high } = await measureDisc(playlist)
  const diameter =
    DISC * Math.min(shape.width, shape.height) * Math.min(width / shape.width, height / shape.height)
  const isDisc = Math.abs(wide - high) <= 2 && Math.abs(wide - diameter) <= 4
  const lufs = hasLoudness(shape) ? await measureLufs(playlist) : loudnessLufs
  const soundFrom = hasLoudness(shape) ? await measureFirstSound(playlist) : shape.soundFrom
  return [
    ...(isDisc ? [] : [`the disc is ${wide} x ${high} instead of ${round(diameter, 0)}`]),
    ...(Math.abs(soundFrom - shape.soundFrom) < 0.06 ? [] : [`sound begins at ${soundFrom} s`]),
    ...(Math.abs(lufs - loudnessLufs) <= 1 ? [] : [`has ${lufs} LUFS`]),
  ]
}

/** The integrated loudness in LUFS. */
async function measureLufs(file: string): Promise<number> {
  const args = ['-nostats', '-i', file, '-af', 'ebur128=framelog=verbose', '-vn', '-f', 'null', '-']
  const { stderr } = await runTool('ffmpeg', args)
  return Number(/^\s*I:\s+(-?[\d.]+) LUFS$/m.exec(stderr.toString())?.[1])
}

/** When sound begins, in seconds. */
async function measureFirstSound(file: string): Promise<number> {
  const args = ['-nostats', '-i', file, '-af', 'silencedetect=n=-50dB:d=0.1', '-vn', '-f', 'null', '-']
  const output = (await runTool('ffmpeg', args)).stderr.toString()
  const isSilentAtFirst = Number(/silence_start: (-?[\d.]+)/.exec(output)?.[1] ?? 1) < 0.1
  return isSilentAtFirst ? Number(/silence_end: ([\d.]+)/.exec(output)?.[1]) : 0
}

/** Width and height in pixels of a shape's bright disc on the first frame of the largest rendition. */
async function measureDisc(file: string): Promise<{ readonly wide: number; readonly high: number }> {
  const raw = ['-frames:v', '1', '-f', 'rawvideo', '-pix_fmt', 'gray', '-']
  const { stdout } = await runTool('ffmpeg', ['-v', 'error', '-i', file, ...raw])
  const bright = [...stdout.keys()].filter((at) => stdout[at]! > 128)
  const [columns, rows] = [
    bright.map((at) => at % LARGEST.width),
    bright.map((at) => Math.floor(at / LARGEST.width)),
  ]
  return { wide: new Set(columns).size, high: new Set(rows).size }
}

/** A small file of a kind that partners send. */
interface Shape {
  readonly name: string
  readonly file: string
  readonly seconds: number
  /** As it is displayed. */
  readonly width: number
  readonly height: number
  readonly hasSound: boolean
  /** Start of the sound; silence before. */
  readonly soundFrom: number
}

interface Recipe {
  readonly width?: number
  readonly height?: number
  readonly rate?: string
  readonly seconds?: number
  /** Pixel aspect ratio. */
  readonly pixelWidth?: number
  readonly sound?: keyof typeof sounds | 'none'
  readonly soundSeconds?: number
  readonly soundFrom?: number
  /** ffmpeg filter, and output options. */
  readonly filter?: string
  readonly video?: readonly string[]
  readonly extension?: string
}

type ShapeName = keyof ReturnType<typeof recipesOf>

function recipesOf() {
  const x264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p']
  const x265 = ['-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', 'log-level=error']
  const tv2100 = ['-color_primaries', 'bt2020', '-color_trc', 'smpte2084', '-colorspace', 'bt2020nc']
  const variable = ",select='not(between(mod(n,10),3,6))'"
  return {
    'rate-25': { rate: '25', seconds: 7 },
    'rate-23-976': { rate: '24000/1001', seconds: 6.9 },
    'rate-29-97': { rate: '30000/1001' },
    'rate-variable': { filter: variable, video: [...x264, '-fps_mode', 'vfr'] },
    'four-by-three': { width: 160, height: 120 },
    vertical: { width: 90, height: 160 },
    rotated: {},
    'wide-pixels': { width: 120, height: 90, pixelWidth: 4 / 3 },
    mono: { sound: 'mono' },
    surround: { sound: 'surround' },
    'no-sound': { sound: 'none' },
    'sound-44100': { sound: 'cd' },
    peaks: { sound: 'peaks' },
    'long-sound': { soundSeconds: 12, seconds: 5.2 },
    'short-sound': { soundSeconds: 1.5, seconds: 5 },
    'late-sound': { soundFrom: 0.7, seconds: 5, extension: 'ts' },
    hevc: { video: [...x265, '-pix_fmt', 'yuv420p'], seconds: 3.7 },
    'ten-bit': { video: ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p10le'] },
    hdr: { video: [...x265, '-pix_fmt', 'yuv420p10le', ...tv2100], seconds: 2, extension: 'mkv' },
    interlaced: { video: [...x264, '-flags', '+ildct+ilme', '-x264opts', 'tff=1'], height: 96 },
    'open-gop': { video: ['-c:v', 'libx264', '-x264-params', 'open-gop=1:keyint=20:bframes=3:b-adapt=0'] },
    short: { seconds: 0.4 },
    'lying-name': { extension: 'mkv' },
  } satisfies Record<string, Recipe>
}

const tone = '0.04*sin(880*PI*t)*(1.2+sin(3*t))'

/** The lavfi sources, all of them too quiet or too loud. */
const sounds = {
  stereo: `aevalsrc='${tone}|${tone}:s=48000'`,
  mono: `aevalsrc='${tone}:s=48000'`,
  surround: `aevalsrc='${tone}|${tone}|${tone}|0|${tone}|${tone}:s=48000:c=5.1'`,
  cd: `aevalsrc='9*${tone}|9*${tone}:s=44100'`,
  // Clicks far above the rest: the gain that the rest needs would clip them.
  peaks: `aevalsrc='0.2*${tone}+0.9*exp(-900*mod(t,1))|0.2*${tone}+0.9*exp(-900*mod(t,1)):s=48000'`,
}

/** The diameter of the disc in a picture, as a share of its shorter side. */
const DISC = 0.7

async function makeShape(folder: string, name: ShapeName): Promise<Shape> {
  const recipe: Recipe = recipesOf()[name]
  const { width = 160, height = 90, rate = '30', seconds = 4.3, pixelWidth = 1 } = recipe
  const { sound = 'stereo', soundSeconds = seconds, soundFrom = 0, extension = 'mp4' } = recipe
  // A bright disc on a dark moving background: wrong scaling turns it into an ellipse.
  const radius = (DISC / 2) * Math.min(width * pixelWidth, height)
  const isInside = `lt(hypot((X-W/2)*${pixelWidth},Y-H/2),${radius})`
  const light = `geq=lum='if(${isInside},225,32+12*sin((X+3*N)/9))':cb=128:cr=128`
  const color = `color=s=${width}x${height}:r=${rate}:d=${seconds},format=yuv420p`
  const picture = `${color},${light},setsar=${Math.round(pixelWidth * 900)}/900${recipe.filter ?? ''}`
  const x264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p']
  const drawn = ['-v', 'error', '-f', 'lavfi', '-i', picture]
  const heard = ['-itsoffset', `${soundFrom}`, '-f', 'lavfi', '-t', `${soundSeconds}`]
  const file = `${name}.${extension}`
  const path = join(folder, file)
  const made = name === 'lying-name' ? `${path}.avi` : path
  await runTool('ffmpeg', [
    ...drawn,
    ...(sound === 'none' ? [] : [...heard, '-i', sounds[sound]]),
    ...(recipe.video ?? x264),
    ...(sound === 'none' ? [] : ['-c:a', 'aac', ...(sound === 'surround' ? ['-b:a', '256k'] : [])]),
    made,
  ])
  if (name === 'lying-name') await rename(made, path)
  const isRotated = name === 'rotated'
  if (isRotated) {
    // As phones do: the picture is stored unrotated, with a flag.
    const turned = join(folder, 'turned.mp4')
    await runTool('ffmpeg', ['-v', 'error', '-i', path, '-c', 'copy', '-metadata:s:v:0', 'rotate=90', turned])
    await rename(turned, path)
  }
  const shown = { width: width * pixelWidth, height }
  return {
    name,
    file,
    seconds,
    width: isRotated ? shown.height : shown.width,
    height: isRotated ? shown.width : shown.height,
    hasSound: sound !== 'none',
    soundFrom,
  }
}
