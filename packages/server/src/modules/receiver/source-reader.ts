import { chooseVariant, type SourceMediaPlaylist } from '@continuity/core/live/source-playlist'
import type { OutboundClient } from '../../platform/outbound/outbound-client.ts'
import type { SourceFault } from './source-fault.ts'
import { readMediaPlaylist, readPlaylist, readTrack, type TrackItem } from './track-reader.ts'

export interface SourceReaderOptions {
  readonly outboundClient: OutboundClient
  readonly url: string
  /** Of the highest rendition that is encoded. */
  readonly height: number
  readonly signal: AbortSignal
  /** Called when the audio is missing; reading continues until it returns. */
  readonly onAudioFault: (fault: SourceFault) => void
}

/** A source that is being read. */
export interface OpenedSource {
  /** Video, with muxed audio if there is any. */
  readonly video: AsyncGenerator<TrackItem, never>
  /** Demuxed audio, if there is any. After its first segment it never throws. */
  readonly audio: AsyncGenerator<TrackItem, never> | undefined
  /** The longest of its target durations: media arrives in bursts of this length. */
  readonly targetMs: number
}

/** Start three segments before the end, as players do, so that there is media to start with. */
const FIRST_BACK = 3

/** Opens the media playlists at an address, through the matching variant if it is a multivariant playlist. */
export async function openSource(options: SourceReaderOptions): Promise<OpenedSource> {
  const { url } = options
  const found = await readPlaylist(options, url)
  if (found.kind === 'media') return { ...readVideo(options, url, found), audio: undefined }
  const variant = chooseVariant(found, options)
  const video = readVideo(options, variant.url, await readMediaPlaylist(options, variant.url))
  const { audioUrl } = variant
  if (audioUrl === undefined) return { ...video, audio: undefined }
  const playlist = await readMediaPlaylist(options, audioUrl)
  // Playlists end at nearly the same time: one more audio segment covers the start of the video.
  const fromEndMs = video.fromEndMs + playlist.targetMs
  const onFault = options.onAudioFault
  return {
    ...video,
    audio: readTrack({ ...options, url: audioUrl, playlist, fromEndMs, onFault }),
    targetMs: Math.max(video.targetMs, playlist.targetMs),
  }
}

function readVideo(options: SourceReaderOptions, url: string, playlist: SourceMediaPlaylist) {
  const first = playlist.segments.slice(-FIRST_BACK)
  const fromEndMs = first.reduce((sum, { durationMs }) => sum + durationMs, 0)
  const video = readTrack({ ...options, url, playlist, fromEndMs })
  return { video, fromEndMs, targetMs: playlist.targetMs }
}
