import { etagOf, isProblem } from '@continuity/client'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useRef } from 'react'
import { useChannels } from '../on-air/channel-queries.ts'
import { useClient } from '../session/session-context.tsx'
import { mayLoad } from '../shared/playout-address.ts'
import { keys } from '../shared/query-keys.ts'
import { Link } from '../shared/router.tsx'
import { serverNowMs } from '../shared/server-time.ts'
import { utcMoment } from '../shared/times.ts'
import type { Video } from '../shared/wire-types.ts'
import { Airings } from './airings.tsx'
import { BrandName } from './brand.tsx'
import classes from './catalog.module.css'
import { CueEditor } from './cue-editor.tsx'
import { RecordHeading, RecordState } from './record-page.tsx'
import { VideoForm } from './video-form.tsx'
import { VideoPlayer } from './video-player.tsx'
import { addressOf } from './video-search.ts'
import { episodeText, lengthText } from './words.ts'

/** While a file is packaged again for other cue points, which has no event. */
const PACKAGING_MS = 10_000

/** More than half a frame: the package has no boundary at the cue point yet. */
const OFFSET_MS = 20

export function VideoPage({ videoId }: { videoId: string }) {
  const client = useClient()
  const player = useRef<HTMLVideoElement>(null)
  const { data: video, error } = useQuery({
    queryKey: [...keys.video(videoId), 'hls'],
    staleTime: 0,
    // A copy would have no ETag.
    structuralSharing: false,
    queryFn: ({ signal }) =>
      client.getVideo({ params: { video_id: videoId }, query: { media_type: 'hls' } }, { signal }),
    refetchInterval: ({ state: { data } }) =>
      data?.cue_points.some(
        ({ origin, offset_ms }) => origin !== 'PROPOSED' && Math.abs(offset_ms ?? 0) > OFFSET_MS,
      ) === true
        ? PACKAGING_MS
        : false,
  })
  if (video === undefined || isProblem(error, 'video.not_found'))
    return <RecordState kind="video" error={error} />
  return (
    <>
      <RecordHeading
        kind="video"
        record={video}
        form={(seen, onClose) => <VideoForm video={seen} onClose={onClose} />}
        deleteText="It leaves its series and its playlists. A video that is on air or in a program of the next 25 hours cannot be deleted."
        remove={(seen) => client.deleteVideo({ params: { video_id: videoId } }, { ifMatch: etagOf(seen) })}
      />
      <div className={classes['columns']}>
        <div className={classes['main']}>
          <VideoPlayer video={video} element={player} />
          <CueEditor key={video.video_id} video={video} player={player} />
        </div>
        <div className={classes['side']}>
          {video.description !== '' && <p className={classes['description']}>{video.description}</p>}
          <Facts video={video} />
          <Pictures video={video} />
        </div>
      </div>
      <Airings videoId={video.video_id} />
    </>
  )
}

function Facts({ video }: { video: Video }) {
  const nowMs = serverNowMs()
  const { data: channels = [] } = useChannels()
  const moment = (at: string | null) => (at === null ? null : utcMoment(Date.parse(at), nowMs))
  const names = video.channel_ids.flatMap((id) => {
    const channel = channels.find(({ linear_channel_id }) => linear_channel_id === id)
    return channel === undefined ? [] : [channel.title]
  })
  const genres = video.genres.filter(({ genre }) => genre !== '')
  return (
    <dl className={classes['facts']}>
      <Fact name="Length">{lengthText(video)}</Fact>
      <Fact name="Series">{video.series_id !== null && <SeriesName seriesId={video.series_id} />}</Fact>
      <Fact name="Number">{episodeText(video)}</Fact>
      <Fact name="Brand">{video.brand_id !== null && <BrandName brandId={video.brand_id} />}</Fact>
      <Fact name="Genre">
        {genres.length > 0 &&
          genres.map(({ genre, sub_genre }) => (
            <span key={`${genre} ${sub_genre}`} className={classes['label']}>
              <Link to={addressOf({ genre })}>{genre}</Link>
              {sub_genre !== '' && ` · ${sub_genre}`}
            </span>
          ))}
      </Fact>
      <Fact name="Type">
        {[video.content_type, video.content_format, video.cut].filter((one) => one !== null).join(' · ')}
      </Fact>
      <Fact name="Rating">{video.parental_rating}</Fact>
      <Fact name="Language">{video.audio_language}</Fact>
      <Fact name="Country">{video.country_origin}</Fact>
      <Fact name="Keywords">{video.keywords.join(', ')}</Fact>
      <Fact name="Ingested for">{names.join(', ')}</Fact>
      <Fact name="Partner">{video.source_id}</Fact>
      <Fact name="Partner’s id">{video.video_source_id}</Fact>
      <Fact name="Published">{moment(video.date_published)}</Fact>
      <Fact name="Available from">{moment(video.date_available)}</Fact>
      <Fact name="Expires">{moment(video.date_expired)}</Fact>
      <Fact name="Made">{moment(video.date_created)}</Fact>
      <Fact name="Last changed">{moment(video.last_updated)}</Fact>
    </dl>
  )
}

/** Nothing where there is nothing to show. */
function Fact({ name, children }: { name: string; children: ReactNode }) {
  if (children === null || children === undefined || children === false || children === '') return null
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function SeriesName({ seriesId }: { seriesId: string }) {
  const client = useClient()
  const { data } = useQuery({
    queryKey: [...keys.series, seriesId],
    queryFn: ({ signal }) => client.getSeries({ params: { series_id: seriesId } }, { signal }),
  })
  return <Link to={`/catalog/series/${encodeURIComponent(seriesId)}`}>{data?.title ?? '…'}</Link>
}

const imageWords: Readonly<Record<Video['images'][number]['image_type'], string>> = {
  THUMBNAIL: 'Thumbnail',
  POSTER: 'Poster',
  LOGO: 'Logo',
}

function Pictures({ video }: { video: Video }) {
  if (video.images.length === 0) return null
  return (
    <section aria-label="Pictures">
      <h3>Pictures</h3>
      <ul className={classes['pictures']}>
        {video.images.map(({ image_url, image_type, width, height }) => (
          <li key={image_url}>
            {mayLoad(image_url) ? (
              <img src={image_url} alt={`${imageWords[image_type]} of ${video.title}`} loading="lazy" />
            ) : (
              <a href={image_url} target="_blank" rel="noreferrer">
                On {new URL(image_url).host}
              </a>
            )}
            <span className={classes['under']}>
              {imageWords[image_type]}, {width} × {height}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
