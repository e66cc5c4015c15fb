import { etagOf, isProblem } from '@continuity/client'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useMayCall } from '../session/may-call.ts'
import { useClient } from '../session/session-context.tsx'
import { keys } from '../shared/query-keys.ts'
import { readUpTo } from '../shared/read-up-to.ts'
import type { Series, Video } from '../shared/wire-types.ts'
import { BrandName } from './brand.tsx'
import classes from './catalog.module.css'
import { OrderList } from './order-list.tsx'
import { RecordForm } from './record-form.tsx'
import { RecordHeading, RecordState } from './record-page.tsx'
import { SaveDraft } from './save-draft.tsx'
import { VideoLine } from './video-line.tsx'
import { countText } from './words.ts'

/** A longer series is not ordered by a person. */
const VIDEOS_MAXIMUM = 1_000

function useSeries(seriesId: string) {
  const client = useClient()
  return useQuery({
    queryKey: [...keys.series, seriesId, 'videos'],
    staleTime: 0,
    // A copy would have no ETag.
    structuralSharing: false,
    queryFn: async ({ signal }) => {
      const params = { series_id: seriesId }
      const series = await client.getSeries({ params }, { signal })
      const pages = client.listSeriesVideos.all({ params, query: { page_size: 50 } }, { signal })
      return { series, videos: await readUpTo(VIDEOS_MAXIMUM, pages) }
    },
  })
}

export function SeriesPage({ seriesId }: { seriesId: string }) {
  const { data, error } = useSeries(seriesId)
  if (data === undefined || isProblem(error, 'series.not_found'))
    return <RecordState kind="series" error={error} />
  return <Loaded {...data} />
}

function Loaded({ series, videos }: { series: Series; videos: readonly Video[] }) {
  const client = useClient()
  const mayChange = useMayCall()('changeVideo')
  const params = { series_id: series.series_id }
  const seasons = Map.groupBy(videos, ({ season_number }) => season_number)
  return (
    <>
      <RecordHeading
        kind="series"
        record={series}
        form={(seen, onClose) => (
          <RecordForm
            title={`Change ${seen.title}`}
            submit="Save"
            record={seen}
            save={(body) => client.changeSeries({ params, body }, { ifMatch: etagOf(seen) })}
            onClose={onClose}
          />
        )}
        deleteText="A series can be deleted when no video belongs to it."
        remove={(seen) => client.deleteSeries({ params }, { ifMatch: etagOf(seen) })}
      />
      {series.description !== '' && <p className={classes['description']}>{series.description}</p>}
      {series.brand_id !== null && (
        <p>
          Brand: <BrandName brandId={series.brand_id} />
        </p>
      )}
      <p className={classes['hint']}>
        {countText(series.video_count, 'video')} in {countText(series.season_count, 'season')}. The order is
        that of the episode numbers, by which rules and apps play it.
      </p>
      {videos.length === 0 && (
        <p className={classes['empty']}>
          No video belongs to this series yet. A video gets its series on its own page, with Change….
        </p>
      )}
      {[...seasons].map(([season, episodes]) => (
        <Season key={season} season={season} episodes={episodes} mayOrder={mayChange} />
      ))}
    </>
  )
}

const ORDER_CHANGED =
  'Another user has changed the order of these videos since you opened it. Discard your changes to see what it is now.'

const isSamePlace = (one: Video, other: Video): boolean =>
  one.series_id === other.series_id &&
  one.season_number === other.season_number &&
  one.episode_number === other.episode_number

interface SeasonProps {
  readonly season: number | null
  readonly episodes: readonly Video[]
  readonly mayOrder: boolean
}

function Season({ season, episodes, mayOrder }: SeasonProps) {
  const client = useClient()
  const queries = useQueryClient()
  const [draft, setDraft] = useState<readonly Video[]>()
  const shown = draft ?? episodes
  const title = season === null ? 'Without a season' : `Season ${season}`
  const readAgain = () => queries.invalidateQueries({ queryKey: keys.series })
  const save = useMutation({
    mutationFn: async () => {
      const numbers = numbersFor(shown)
      const moved = shown
        .map((seen, at) => ({ seen, next: numbers[at]! }))
        .filter(({ seen, next }) => next !== seen.episode_number)
      // A list has no ETags. All are read before the first is changed, so that a conflict leaves the order as it was.
      const current: Video[] = []
      for (const { seen } of moved) {
        const video = await client.getVideo({ params: { video_id: seen.video_id } })
        if (!isSamePlace(video, seen)) throw new Error(ORDER_CHANGED)
        current.push(video)
      }
      for (const [at, { next }] of moved.entries()) {
        const { video_id } = current[at]!
        const body = { episode_number: next }
        await client.changeVideo({ params: { video_id }, body }, { ifMatch: etagOf(current[at]!) })
        void queries.invalidateQueries({ queryKey: keys.video(video_id) })
      }
    },
    onSuccess: async () => {
      await readAgain()
      setDraft(undefined)
    },
    onError: readAgain,
  })
  return (
    <section className={classes['season']} aria-label={title}>
      <h3>
        {title} <span className={classes['under']}>{countText(episodes.length, 'video')}</span>
      </h3>
      <OrderList
        label={title}
        items={shown}
        idOf={({ video_id }) => video_id}
        titleOf={(video) => video.title}
        onOrder={mayOrder ? setDraft : undefined}
      >
        {(video) => <VideoLine video={video} />}
      </OrderList>
      <SaveDraft
        isOpen={draft !== undefined}
        save={save}
        submit="Save the order"
        onDiscard={() => setDraft(undefined)}
      >
        The videos get episode numbers in this order.
      </SaveDraft>
    </section>
  )
}

/**
 * The numbers of a season for its videos in another order: those that it has, so that one which is missing stays missing,
 * and the next ones for videos without a number or with one that another has too.
 */
function numbersFor(videos: readonly Pick<Video, 'episode_number'>[]): readonly number[] {
  const numbers = [
    ...new Set(videos.flatMap(({ episode_number }) => (episode_number === null ? [] : [episode_number]))),
  ].toSorted((one, other) => one - other)
  while (numbers.length < videos.length) numbers.push((numbers.at(-1) ?? 0) + 1)
  return numbers
}
