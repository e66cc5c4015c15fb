import { Link } from '../shared/router.tsx'
import { StatusBadge } from '../shared/status-badge.tsx'
import type { Video } from '../shared/wire-types.ts'
import classes from './catalog.module.css'
import { Thumbnail } from './thumbnail.tsx'
import { episodeText, lengthText, statusTones, statusWords } from './words.ts'

/** A video in a list that can be ordered. */
export function VideoLine({ video }: { video: Video }) {
  return (
    <span className={classes['line']}>
      <span className={classes['small']}>
        <Thumbnail images={video.images} />
      </span>
      <span className={classes['name']}>
        <Link to={`/catalog/videos/${encodeURIComponent(video.video_id)}`}>{video.title}</Link>
        <span className={classes['under']}>
          {video.status !== 'READY' && (
            <StatusBadge text={statusWords[video.status]} tone={statusTones[video.status]} />
          )}{' '}
          {episodeText(video)}
        </span>
      </span>
      <span className={classes['duration']}>{lengthText(video)}</span>
    </span>
  )
}
