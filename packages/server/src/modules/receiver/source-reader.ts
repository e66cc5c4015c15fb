import { chooseVariant, type SourceMediaPlaylist } from '@continuity/core/live/source-playlist'
import type { Guard } from '../../platform/guarded-fetch/guarded-client.ts'
import type { SourceFault } from './source-fault.ts'
import { readMediaPlaylist, readPlaylist, readTrack, type TrackItem } from './track-reader.ts'

export interface SourceReaderOptions {
  readonly guard: Guard
  readonly url: string
  /** Of the best rendition that is made of it. */
  readonly height: number
  readonly signal: AbortSignal
  /** The sound is missing; reading goes on until it is back. */
  readonly onAudioFault: (fault: SourceFault) => void
}

/** A source that is being read. */
export interface OpenedSource {
  /** The picture, and the sound where it is muxed with it. */
  readonly video: AsyncGenerator<TrackItem, never>
  /** The sound where it has a playlist of its own. Once it was there, it never fails. */
  readonly audio: AsyncGenerator<TrackItem, never> | undefined
  /** The longest of its target durations: in so long bursts it arrives. */
  readonly targetMs: number
}

/** As players do: three segments back, so that there is something to begin with. */
const FIRST_BACK = 3

/** Finds the media playlists that an address leads to, by way of the variant that fits. */
export async function openSource(options: SourceReaderOptions): Promise<OpenedSource> {
  const { url } = options
  const found = await readPlaylist(options, url)
  if (found.kind === 'media') return { ...readVideo(options, url, found), audio: undefined }
  const variant = chooseVariant(found, options)
  const video = readVideo(options, variant.url, await readMediaPlaylist(options, variant.url))
  const { audioUrl } = variant
  if (audioUrl === undefined) return { ...video, audio: undefined }
  const playlist = await readMediaPlaylist(options, audioUrl)
  // Playlists end at nearly the same time: one segment more of the sound covers the beginning of the picture.
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
