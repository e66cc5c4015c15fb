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

/** Plays an output in a video element until it is stopped. A channel that comes back is picked up again. */
export function playHls(
  video: HTMLVideoElement,
  address: string,
  onFault: (fault: string | undefined) => void,
): Playing {
  if (!HlsPlayer.isSupported()) return playNatively(video, address)
  let retry: ReturnType<typeof setTimeout> | undefined
  let hls: HlsPlayer
  const start = () => {
    hls = new HlsPlayer(settings)
    hls.on(HlsPlayer.Events.FRAG_BUFFERED, () => onFault(undefined))
    hls.on(HlsPlayer.Events.ERROR, (_event, { fatal, response, details }) => {
      if (!fatal) return
      onFault(response?.code === 404 ? 'The channel is not on air' : `Player: ${details}`)
      hls.destroy()
      retry = setTimeout(start, RETRY_MS)
    })
    hls.loadSource(address)
    hls.attachMedia(video)
    void video.play().catch(() => undefined)
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
function playNatively(video: HTMLVideoElement, address: string): Playing {
  video.src = address
  void video.play().catch(() => undefined)
  return { stop: () => video.removeAttribute('src') }
}
