import type { AudioFacts, ColourMatrix, VideoFacts } from './media-facts.ts'
import { countOf, isFields, numberOf, type ProbedFields, ratioOf, textOf } from './probed-fields.ts'

type Streams = readonly ProbedFields[]

/** The video stream marked as default, otherwise the first one. */
export function readVideoStream(streams: Streams): VideoFacts | undefined {
  for (const stream of defaultFirst(streams.filter((it) => it['codec_type'] === 'video' && !isStill(it)))) {
    const facts = readVideo(stream)
    if (facts !== undefined) return facts
  }
  return undefined
}

export function readAudioStream(streams: Streams): AudioFacts | null {
  for (const stream of defaultFirst(streams.filter((it) => it['codec_type'] === 'audio'))) {
    const facts = readAudio(stream)
    if (facts !== undefined) return facts
  }
  return null
}

/** A cover, a thumbnail or a single picture is not a video. */
function isStill(stream: ProbedFields): boolean {
  const marks = ['attached_pic', 'still_image', 'timed_thumbnails']
  return marks.some((mark) => isMarked(stream, mark)) || countOf(stream['nb_frames'], 0) === 1
}

const defaultFirst = (streams: Streams): Streams =>
  streams.toSorted((a, b) => Number(isMarked(b, 'default')) - Number(isMarked(a, 'default')))

const isMarked = ({ disposition }: ProbedFields, mark: string): boolean =>
  isFields(disposition) && disposition[mark] === 1

function readVideo(stream: ProbedFields): VideoFacts | undefined {
  const index = countOf(stream['index'], 0)
  const codec = textOf(stream['codec_name'])
  const width = countOf(stream['width'], 1)
  const height = countOf(stream['height'], 1)
  if (index === undefined || codec === undefined || width === undefined || height === undefined) {
    return undefined
  }
  const wide = Math.max(1, Math.round(width * (ratioOf(stream['sample_aspect_ratio']) ?? 1)))
  const rotation = readRotation(stream)
  const isUpright = rotation % 180 === 0
  return {
    index,
    codec,
    width: isUpright ? wide : height,
    height: isUpright ? height : wide,
    rotation,
    frameRate: ratioOf(stream['avg_frame_rate']) ?? ratioOf(stream['r_frame_rate']) ?? null,
    matrix: readMatrix(textOf(stream['color_space']), height),
    isInterlaced: /^(tt|bb|tb|bt)$/.test(textOf(stream['field_order']) ?? ''),
    isHdr: /^(smpte2084|arib-std-b67)$/.test(textOf(stream['color_transfer']) ?? ''),
  }
}

/** Without a stated matrix it follows from the size: SD video uses BT.601. */
function readMatrix(stated: string | undefined, height: number): ColourMatrix {
  if (stated === 'bt709') return 'bt709'
  if (stated?.startsWith('bt2020') === true) return 'bt2020'
  if (stated === 'smpte170m' || stated === 'bt470bg' || stated === 'fcc') return 'bt601'
  return height <= 576 ? 'bt601' : 'bt709'
}

function readAudio(stream: ProbedFields): AudioFacts | undefined {
  const index = countOf(stream['index'], 0)
  const codec = textOf(stream['codec_name'])
  const channels = countOf(stream['channels'], 1)
  const sampleRate = countOf(stream['sample_rate'], 1)
  if (index === undefined || codec === undefined || channels === undefined || sampleRate === undefined) {
    return undefined
  }
  return { index, codec, channels, sampleRate }
}

/** The display matrix rotates counterclockwise, the older tag clockwise. */
function readRotation({ side_data_list: sides, tags }: ProbedFields): VideoFacts['rotation'] {
  const matrix = Array.isArray(sides) ? sides.find((it) => isFields(it) && 'rotation' in it) : undefined
  const tagged = isFields(tags) ? numberOf(tags['rotate']) : undefined
  const turned = isFields(matrix) ? -(numberOf(matrix['rotation']) ?? 0) : (tagged ?? 0)
  const quarters = Math.round(turned / 90) % 4
  return (((quarters + 4) % 4) * 90) as VideoFacts['rotation']
}
