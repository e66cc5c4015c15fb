import { type RefObject, useEffect, useState } from 'react'
import pictures from '../on-air/picture.module.css'
import { mayLoad } from '../shared/playout-address.ts'
import type { Video } from '../shared/wire-types.ts'
import { pictureOf } from './thumbnail.tsx'

interface VideoPlayerProps {
  readonly video: Video
  readonly element: RefObject<HTMLVideoElement | null>
}

/** The video as it was packaged. Media of other servers is not loaded by this page. */
export function VideoPlayer({ video, element }: VideoPlayerProps) {
  const { media_url } = video
  if (media_url === null) {
    return (
      <div className={pictures['frame']}>
        <span className={pictures['none']}>
          {video.status === 'PROCESSING' ? 'Its file is being packaged' : 'It has no media'}
        </span>
      </div>
    )
  }
  if (!mayLoad(media_url)) {
    return (
      <div className={pictures['frame']}>
        <a className={pictures['none']} href={media_url} target="_blank" rel="noreferrer">
          Open its media on {new URL(media_url).host}
        </a>
      </div>
    )
  }
  return <Hls video={video} address={media_url} element={element} />
}

function Hls({ video, address, element }: VideoPlayerProps & { readonly address: string }) {
  const [fault, setFault] = useState<string>()
  useEffect(() => {
    let stop = () => {}
    let isEnded = false
    const start = async () => {
      const { playHls } = await import('../on-air/play-hls.ts')
      if (isEnded || element.current === null) return
      const options = { missing: 'The media does not exist', isStarted: false }
      const playing = playHls(element.current, address, setFault, options)
      stop = () => playing.stop()
    }
    start().catch(() => setFault('The player could not be loaded'))
    return () => {
      isEnded = true
      stop()
    }
  }, [address, element])
  return (
    <div className={pictures['frame']}>
      {/* biome-ignore lint/a11y/useMediaCaption: packages have no captions. */}
      <video
        ref={element}
        className={pictures['picture']}
        aria-label={`Video of ${video.title}`}
        poster={pictureOf(video.images)?.image_url}
        controls
        playsInline
      />
      {fault !== undefined && (
        <p className={pictures['fault']} role="status">
          {fault}. Trying again.
        </p>
      )}
    </div>
  )
}
