import HlsPlayer from 'hls.js'
import workerPath from 'hls.js/dist/hls.worker.js?url'

export interface Playing {
  stop(): void
}

const settings = {
  workerPath,
  // Of target durations, which have room for longer segments than usual: three segments. Operators want to see a cut soon.
  liveSyncDurationCount: 2,
  maxBufferLength: 20,
  backBufferLength: 10,
  capLevelToPlayerSize: true,
  // It would put the markers of ad breaks on a text track with a data: address, which the page's policy forbids.
  enableDateRangeMetadataCues: false,
  enableID3MetadataCues: false,
  enableEmsgMetadataCues: false,
}

/** How long after a fatal error the player tries again. */
const RETRY_MS = 2_000

export interface PlayOptions {
  /** Where the playlist does not exist. */
  readonly missing: string
  /** Play at once, or wait for the user. */
  readonly isStarted: boolean
}

/** Plays a stream in a video element until it is stopped. One that comes back is picked up again. */
export function playHls(
  video: HTMLVideoElement,
  address: string,
  onFault: (fault: string | undefined) => void,
  { missing, isStarted }: PlayOptions,
): Playing {
  const begin = () => {
    if (isStarted) void video.play().catch(() => undefined)
  }
  if (!HlsPlayer.isSupported()) return playNatively(video, address, begin)
  let retry: ReturnType<typeof setTimeout> | undefined
  let hls: HlsPlayer
  const start = () => {
    hls = new HlsPlayer(settings)
    hls.on(HlsPlayer.Events.FRAG_BUFFERED, () => onFault(undefined))
    hls.on(HlsPlayer.Events.ERROR, (_event, { fatal, response, details }) => {
      if (!fatal) return
      onFault(response?.code === 404 ? missing : `Player: ${details}`)
      hls.destroy()
      retry = setTimeout(start, RETRY_MS)
    })
    hls.loadSource(address)
    hls.attachMedia(video)
    begin()
  }
  start()
  return {
    stop() {
      clearTimeout(retry)
      hls.destroy()
    },
  }
}

/** Safari on phones plays HLS itself, and has no media source. */
function playNatively(video: HTMLVideoElement, address: string, begin: () => void): Playing {
  video.src = address
  begin()
  return { stop: () => video.removeAttribute('src') }
}
