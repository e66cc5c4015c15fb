import { Button, NativeSelect, TextInput } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useChannels } from '../on-air/channel-queries.ts'
import { useSeriesChoices } from '../rules/plan-query.ts'
import { useClient } from '../session/session-context.tsx'
import { PAGE_SIZE, useMarkPages } from '../shared/mark-pages.ts'
import { ReadState } from '../shared/page-state.tsx'
import { Pager } from '../shared/pager.tsx'
import { keys } from '../shared/query-keys.ts'
import { Link, navigate, useAddress } from '../shared/router.tsx'
import { StatusBadge } from '../shared/status-badge.tsx'
import type { Video } from '../shared/wire-types.ts'
import classes from './catalog.module.css'
import { Thumbnail } from './thumbnail.tsx'
import { addressOf, bodyOf, isNarrowed, lengths, searchOf, sorts, type VideoSearch } from './video-search.ts'
import { episodeText, lengthText, statusTones, statusWords } from './words.ts'

/** So long after the last key the catalog is searched. */
const TYPING_MS = 200

/** Every video of the account, found as one types. */
export function VideosPage() {
  const { query } = useAddress()
  const search = searchOf(query)
  const client = useClient()
  const { data, error, isOld, pager } = useMarkPages<Video>([...keys.videos, search], (page_offset, signal) =>
    client.searchVideos({ query: { page_size: PAGE_SIZE, page_offset }, body: bodyOf(search) }, { signal }),
  )
  const { data: series = [] } = useSeriesChoices()
  const genres = new Set(data?.hits.flatMap((video) => video.genres.map(({ genre }) => genre)))
  return (
    <>
      <SearchForm search={search} genres={[...genres].filter((genre) => genre !== '').toSorted()} />
      {data === undefined ? (
        <ReadState error={error} />
      ) : data.hits.length === 0 ? (
        <NothingFound search={search} />
      ) : (
        <>
          <ul className={classes['videos']} aria-label="Videos" aria-busy={isOld}>
            {data.hits.map((video) => (
              <VideoCard
                key={video.video_id}
                video={video}
                series={series.find(({ id }) => id === video.series_id)?.title}
              />
            ))}
          </ul>
          <Pager label="Pages of videos" {...pager} />
        </>
      )}
    </>
  )
}

function NothingFound({ search }: { search: VideoSearch }) {
  if (!isNarrowed(search)) {
    return (
      <p className={classes['empty']}>
        This account has no videos yet. They come with programs that partners submit, by the command{' '}
        <code>continuity catalog import</code>, or by the API.
      </p>
    )
  }
  return (
    <p className={classes['empty']}>
      No video matches. <Link to={addressOf({ sort: search.sort })}>Show all videos</Link>
    </p>
  )
}

function SearchForm({ search, genres }: { search: VideoSearch; genres: readonly string[] }) {
  const { data: series = [] } = useSeriesChoices()
  const { data: channels = [] } = useChannels()
  // Other fields than before: what was typed a moment ago, and is not in the address yet, is cleared too.
  const [cleared, setCleared] = useState(0)
  const show = (change: Partial<VideoSearch>) =>
    navigate(addressOf({ ...search, ...change }), { replace: true })
  const choices = (all: string, values: readonly { readonly value: string; readonly label: string }[]) => [
    { value: '', label: all },
    ...values,
  ]
  return (
    <search className={classes['search']}>
      <TypedField
        key={`text ${cleared}`}
        className={classes['text']}
        label="Search"
        placeholder='Words, "a phrase", -without'
        value={search.text}
        onSettled={(text) => show({ text })}
      />
      <NativeSelect
        label="Status"
        value={search.status}
        data={choices(
          'Any',
          Object.entries(statusWords).map(([value, label]) => ({ value, label })),
        )}
        onChange={({ currentTarget }) => show({ status: currentTarget.value })}
      />
      <NativeSelect
        label="Series"
        value={search.series}
        data={choices(
          'Any or none',
          series.map(({ id, title }) => ({ value: id, label: title })),
        )}
        onChange={({ currentTarget }) => show({ series: currentTarget.value })}
      />
      <NativeSelect
        label="Ingested for"
        value={search.channel}
        data={choices(
          'Any channel',
          channels.map(({ linear_channel_id, title }) => ({ value: linear_channel_id, label: title })),
        )}
        onChange={({ currentTarget }) => show({ channel: currentTarget.value })}
      />
      <TypedField
        key={`genre ${cleared}`}
        label="Genre"
        placeholder="Any"
        list="genres"
        value={search.genre}
        onSettled={(genre) => show({ genre })}
      />
      <datalist id="genres">
        {genres.map((genre) => (
          <option key={genre} value={genre} />
        ))}
      </datalist>
      <NativeSelect
        label="Length"
        value={search.length}
        data={choices(
          'Any',
          Object.entries(lengths).map(([value, { label }]) => ({ value, label })),
        )}
        onChange={({ currentTarget }) => show({ length: currentTarget.value })}
      />
      <NativeSelect
        label="Order"
        value={search.sort}
        data={choices(
          'Best match',
          Object.entries(sorts).map(([value, { label }]) => ({ value, label })),
        )}
        onChange={({ currentTarget }) => show({ sort: currentTarget.value })}
      />
      {isNarrowed(search) && (
        <Button
          variant="default"
          onClick={() => {
            navigate(addressOf({ sort: search.sort }))
            setCleared(cleared + 1)
          }}
        >
          Clear
        </Button>
      )}
    </search>
  )
}

interface TypedFieldProps {
  readonly label: string
  readonly placeholder: string
  readonly value: string
  readonly className?: string | undefined
  readonly list?: string
  readonly onSettled: (value: string) => void
}

/** A field of the address, which changes a moment after the last key. */
function TypedField({ label, placeholder, value, className, list, onSettled }: TypedFieldProps) {
  const [typed, setTyped] = useState(value)
  const [shown, setShown] = useState(value)
  if (shown !== value) {
    // Changed elsewhere: by a link, or by the history of the browser.
    setShown(value)
    if (typed.trim() !== value) setTyped(value)
  }
  useEffect(() => {
    if (typed.trim() === value) return undefined
    const timer = setTimeout(() => onSettled(typed.trim()), TYPING_MS)
    return () => clearTimeout(timer)
  }, [typed, value, onSettled])
  return (
    <TextInput
      type="search"
      label={label}
      placeholder={placeholder}
      {...(className === undefined ? {} : { className })}
      {...(list === undefined ? {} : { list })}
      value={typed}
      onChange={({ currentTarget }) => setTyped(currentTarget.value)}
    />
  )
}

function VideoCard({ video, series }: { video: Video; series: string | undefined }) {
  const episode = episodeText(video)
  return (
    <li>
      <Link className={classes['card']} to={`/catalog/videos/${encodeURIComponent(video.video_id)}`}>
        <span className={classes['still']}>
          <Thumbnail images={video.images} />
          <span className={classes['length']}>{lengthText(video)}</span>
        </span>
        <span className={classes['title']}>{video.title}</span>{' '}
        <span className={classes['under']}>
          {video.status !== 'READY' && (
            <StatusBadge text={statusWords[video.status]} tone={statusTones[video.status]} />
          )}{' '}
          {series ?? video.genres.map(({ genre }) => genre).join(', ')}
        </span>{' '}
        {episode !== undefined && <span className={classes['number']}>{episode}</span>}
      </Link>
    </li>
  )
}
