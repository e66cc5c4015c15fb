import { useState } from 'react'
import { outputAddress } from '../shared/playout-address.ts'
import { useServerNow } from '../shared/server-time.ts'
import classes from './picture.module.css'

/** A picture is taken of a segment; ten seconds are about two of them. */
const EVERY_MS = 10_000

/** The newest picture of a channel, or a neutral surface. */
export function Picture({ channelId, title }: { channelId: string; title: string }) {
  const [isMissing, setIsMissing] = useState(false)
  const turn = Math.floor(useServerNow() / EVERY_MS)
  return (
    <div className={classes['frame']}>
      <img
        className={classes['picture']}
        src={`${outputAddress(channelId, 'now.jpg')}?t=${turn}`}
        alt={`${title} now`}
        loading="lazy"
        hidden={isMissing}
        onLoad={() => setIsMissing(false)}
        onError={() => setIsMissing(true)}
      />
      {isMissing && <span className={classes['none']}>No picture</span>}
    </div>
  )
}

export function NoPicture({ text }: { text: string }) {
  return (
    <div className={classes['frame']}>
      <span className={classes['none']}>{text}</span>
    </div>
  )
}
