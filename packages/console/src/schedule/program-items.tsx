import { Button, NativeSelect, NumberInput, TextInput } from '@mantine/core'
import { type KeyboardEvent, useState } from 'react'
import { ItemButtons } from '../shared/item-buttons.tsx'
import { timeLeft } from '../shared/times.ts'
import type { Video } from '../shared/wire-types.ts'
import classes from './program-dialog.module.css'
import type { ProgramFault } from './program-faults.ts'
import { usePlaylists, useVideo, useVideoSearch } from './program-queries.ts'

export type DraftItem =
  | {
      readonly kind: 'video'
      readonly key: string
      readonly videoId: string
      /** As they are typed; empty for the start and the end of the video. */
      readonly in: string
      readonly out: string
    }
  | { readonly kind: 'playlist'; readonly key: string; readonly playlistId: string; readonly title: string }
  | { readonly kind: 'pod'; readonly key: string; readonly seconds: number }

interface ProgramItemsProps {
  readonly items: readonly DraftItem[]
  readonly faults: readonly ProgramFault[]
  readonly onChange: (items: readonly DraftItem[]) => void
}

const USUAL_POD_SECONDS = 120
const POD_MAXIMUM_SECONDS = 600

/** What a program shows, in order. */
export function ProgramItems({ items, faults, onChange }: ProgramItemsProps) {
  const add = (item: DraftItem) => onChange([...items, item])
  const whole = faults.filter(({ item }) => item === undefined)
  return (
    <fieldset className={classes['items']}>
      <legend>What it shows, in order</legend>
      {items.length === 0 && <p className={classes['hint']}>Nothing yet. Add at least one video.</p>}
      <ol>
        {items.map((item, at) => (
          <li key={item.key}>
            <div className={classes['item']}>
              <ItemName item={item} onChange={(changed) => onChange(items.with(at, changed))} />
              <ItemButtons items={items} at={at} onChange={onChange} />
            </div>
            {item.kind === 'video' && (
              <PartFields
                item={item}
                at={at}
                faults={faults.filter((fault) => fault.item === at)}
                onChange={(changed) => onChange(items.with(at, changed))}
              />
            )}
            {faults
              .filter((fault) => fault.item === at && fault.point === undefined)
              .map(({ text }) => (
                <p key={text} role="alert" className={classes['fault']}>
                  {text}
                </p>
              ))}
          </li>
        ))}
      </ol>
      {whole.map(({ text }) => (
        <p key={text} role="alert" className={classes['fault']}>
          {text}
        </p>
      ))}
      <VideoSearch
        onChoose={({ video_id }) =>
          add({ kind: 'video', key: crypto.randomUUID(), videoId: video_id, in: '', out: '' })
        }
      />
      <div className={classes['others']}>
        <PlaylistChoice
          onChoose={(playlistId, title) =>
            add({ kind: 'playlist', key: crypto.randomUUID(), playlistId, title })
          }
        />
        <Button
          size="sm"
          variant="default"
          onClick={() => add({ kind: 'pod', key: crypto.randomUUID(), seconds: USUAL_POD_SECONDS })}
        >
          Add an ad break
        </Button>
      </div>
    </fieldset>
  )
}

function ItemName({ item, onChange }: { item: DraftItem; onChange: (item: DraftItem) => void }) {
  if (item.kind === 'video') return <VideoName videoId={item.videoId} />
  if (item.kind === 'playlist') return <span>Playlist: {item.title}</span>
  return (
    <NumberInput
      size="xs"
      label="Ad break, seconds"
      min={1}
      max={POD_MAXIMUM_SECONDS}
      allowDecimal={false}
      value={item.seconds}
      onChange={(value) => onChange({ ...item, seconds: Number(value) })}
    />
  )
}

type VideoItem = Extract<DraftItem, { kind: 'video' }>

export function VideoName({ videoId }: { videoId: string }) {
  const { data: video, error } = useVideo(videoId)
  if (video === undefined) return <span>{error === null ? 'Loading…' : 'A video that cannot be read'}</span>
  return (
    <span>
      {video.title} <span className={classes['hint']}>{timeLeft(video.duration * 1_000)}</span>
    </span>
  )
}

interface PartFieldsProps {
  readonly item: VideoItem
  readonly at: number
  readonly faults: readonly ProgramFault[]
  readonly onChange: (item: VideoItem) => void
}

const points = [
  { point: 'in', label: 'In point', short: 'In', placeholder: 'Its start' },
  { point: 'out', label: 'Out point', short: 'Out', placeholder: 'Its end' },
] as const

/** Which part of a video is shown. */
function PartFields({ item, at, faults, onChange }: PartFieldsProps) {
  return (
    <div className={classes['part']}>
      {points.map(({ point, label, short, placeholder }) => (
        <TextInput
          key={point}
          size="sm"
          leftSection={<span className={classes['hint']}>{short}</span>}
          leftSectionWidth={40}
          aria-label={`${label}, item ${at + 1}`}
          placeholder={placeholder}
          value={item[point]}
          error={faults.find((fault) => fault.point === point)?.text}
          onChange={({ currentTarget }) => onChange({ ...item, [point]: currentTarget.value })}
        />
      ))}
      {(item.in !== '' || item.out !== '') && (
        <p className={classes['hint']}>Cut at the nearest cue point or segment.</p>
      )}
    </div>
  )
}

interface VideoSearchProps {
  readonly label?: string
  readonly onChoose: (video: Video) => void
}

/** A field that finds videos as one types; the first is chosen with Enter. */
export function VideoSearch({ label = 'Add a video', onChoose }: VideoSearchProps) {
  const [text, setText] = useState('')
  const { data: found, isFetching } = useVideoSearch(text)
  const isTyped = text.trim() !== ''
  const choose = (video: Video) => {
    onChoose(video)
    setText('')
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return
    // It would send the form.
    event.preventDefault()
    const [first] = found ?? []
    if (isTyped && first !== undefined && !isFetching) choose(first)
  }
  return (
    <div>
      <TextInput
        label={label}
        placeholder="Words of its title or description"
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      {isTyped && (
        <ul className={classes['found']} aria-label="Videos found">
          {found?.map((video) => (
            <li key={video.video_id}>
              <Button
                fullWidth
                size="xs"
                variant="subtle"
                justify="space-between"
                rightSection={timeLeft(video.duration * 1_000)}
                onClick={() => choose(video)}
              >
                {video.title}
              </Button>
            </li>
          ))}
          {found?.length === 0 && !isFetching && <li className={classes['hint']}>No video matches.</li>}
        </ul>
      )}
    </div>
  )
}

function PlaylistChoice({ onChoose }: { onChoose: (playlistId: string, title: string) => void }) {
  const { data: playlists = [] } = usePlaylists()
  if (playlists.length === 0) return null
  return (
    <NativeSelect
      aria-label="Add a playlist"
      value=""
      data={[
        { value: '', label: 'Add a playlist…' },
        ...playlists.map(({ id, title }) => ({ value: id, label: title })),
      ]}
      onChange={({ currentTarget: { value } }) => {
        const playlist = playlists.find(({ id }) => id === value)
        if (playlist !== undefined) onChoose(playlist.id, playlist.title)
      }}
    />
  )
}
