import { useEffect, useRef, useState } from 'react'
import { outputAddress } from '../shared/playout-address.ts'
import classes from './picture.module.css'

interface PlayerProps {
  readonly channelId: string
  readonly title: string
  readonly hasControls?: boolean
}

/** The channel as its viewers get it. The player is loaded when the first one is opened. */
export function Player({ channelId, title, hasControls = false }: PlayerProps) {
  const video = useRef<HTMLVideoElement>(null)
  const [fault, setFault] = useState<string>()
  useEffect(() => {
    let stop = () => {}
    let isEnded = false
    const start = async () => {
      const { playHls } = await import('./play-hls.ts')
      if (isEnded || video.current === null) return
      const playing = playHls(video.current, outputAddress(channelId, 'index.m3u8'), setFault, {
        missing: 'The channel is not on air',
        isStarted: true,
      })
      stop = () => playing.stop()
    }
    start().catch(() => setFault('The player could not be loaded'))
    return () => {
      isEnded = true
      stop()
    }
  }, [channelId])
  return (
    <div className={classes['frame']}>
      <video
        ref={video}
        className={classes['picture']}
        aria-label={`Video of ${title}`}
        controls={hasControls}
        muted
        playsInline
      />
      {fault !== undefined && (
        <p className={classes['fault']} role="status">
          {fault}. Trying again.
        </p>
      )}
    </div>
  )
}
