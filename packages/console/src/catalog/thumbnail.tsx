import { useState } from 'react'
import { mayLoad } from '../shared/playout-address.ts'
import type { Video } from '../shared/wire-types.ts'
import classes from './catalog.module.css'

type Image = Video['images'][number]

/** The picture of a record: a thumbnail before a poster. Pictures of other servers are not loaded. */
export function pictureOf(images: readonly Image[]): Image | undefined {
  const shown = images.filter(({ image_url }) => mayLoad(image_url))
  return shown.find(({ image_type }) => image_type === 'THUMBNAIL') ?? shown[0]
}

/** Beside the title of the record, which is its text. */
export function Thumbnail({ images }: { images: readonly Image[] }) {
  const address = pictureOf(images)?.image_url
  const [failed, setFailed] = useState<string>()
  if (address === undefined || address === failed) return <span className={classes['none']}>No picture</span>
  return (
    <img
      className={classes['picture']}
      src={address}
      alt=""
      loading="lazy"
      onError={() => setFailed(address)}
    />
  )
}
