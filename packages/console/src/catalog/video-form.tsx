import { etagOf } from '@continuity/client'
import type { BodyOf, Operations } from '@continuity/contract'
import { Button, CloseButton, NativeSelect, NumberInput, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useSeriesChoices } from '../rules/plan-query.ts'
import { DateTimeField } from '../schedule/date-time-field.tsx'
import { utcClock } from '../schedule/zone-clock.ts'
import { useClient } from '../session/session-context.tsx'
import { choicesWith } from '../shared/choices-with.ts'
import { CommaField } from '../shared/comma-field.tsx'
import { FormDialog } from '../shared/form-dialog.tsx'
import { faultsAt } from '../shared/problem-text.ts'
import type { Video } from '../shared/wire-types.ts'
import { BrandField } from './brand.tsx'
import classes from './catalog.module.css'
import { useSaveRecord } from './record-page.tsx'
import { statusWords } from './words.ts'

const labels = {
  parental_rating: 'Rating',
  audio_language: 'Language',
  country_origin: 'Country',
  content_type: 'Type',
  content_format: 'Format',
  cut: 'Cut',
  periodicity: 'Periodicity',
} as const
const labelNames = Object.keys(labels) as (keyof typeof labels)[]

const numbers = { season_number: 'Season', episode_number: 'Episode' } as const

/** What a video does not have, and what only the service knows. */
const texts = { none: 'None', missing: 'As it is' }

const times = ['date_available', 'date_expired', 'date_published'] as const

/** The fields as they are typed: a time as a field has it, and an empty text for what a video does not have. */
function draftOf(video: Video) {
  const { title, description, status, keywords, genres } = video
  const momentOf = (at: string | null) => (at === null ? '' : utcClock.toInput(Date.parse(at)))
  return {
    title,
    description,
    status,
    keywords,
    genres,
    brand_id: video.brand_id ?? '',
    series_id: video.series_id ?? '',
    season_number: video.season_number ?? '',
    episode_number: video.episode_number ?? '',
    parental_rating: video.parental_rating ?? '',
    audio_language: video.audio_language ?? '',
    country_origin: video.country_origin ?? '',
    content_type: video.content_type ?? '',
    content_format: video.content_format ?? '',
    cut: video.cut ?? '',
    periodicity: video.periodicity ?? '',
    date_available: momentOf(video.date_available),
    date_expired: momentOf(video.date_expired),
    date_published: momentOf(video.date_published),
  }
}

type Draft = ReturnType<typeof draftOf>
type Faults = Readonly<Partial<Record<string, string>>>

/** The fields of a video. Those that the user has not changed are not sent. */
export function VideoForm({ video, onClose }: { video: Video; onClose: () => void }) {
  const client = useClient()
  const [draft, setDraft] = useState<Draft>(() => draftOf(video))
  const [found, setFound] = useState<Faults>({})
  const save = useSaveRecord(async () => {
    const body = changesOf(draft, draftOf(video))
    if (Object.keys(body).length === 0) return
    await client.changeVideo({ params: { video_id: video.video_id }, body }, { ifMatch: etagOf(video) })
  }, onClose)
  const rejected = faultsAt(save.error, Object.keys(draft))
  const faults: Faults = rejected ?? found
  const set = (change: Partial<Draft>) => {
    setDraft({ ...draft, ...change })
    setFound({})
    save.reset()
  }
  const submit = () => {
    const wrong = findFaults(draft)
    setFound(wrong)
    if (Object.keys(wrong).length === 0) save.mutate()
  }
  return (
    <FormDialog
      title={`Change ${video.title}`}
      submit="Save"
      onSubmit={submit}
      onClose={onClose}
      isSending={save.isPending}
      error={rejected === undefined ? save.error : null}
      reason={draft.title.trim() === '' ? 'Give it a title.' : undefined}
    >
      <TextInput
        label="Title"
        maxLength={255}
        value={draft.title}
        error={faults['title']}
        onChange={({ currentTarget }) => set({ title: currentTarget.value })}
        data-autofocus
      />
      <Textarea
        label="Description"
        rows={3}
        value={draft.description}
        error={faults['description']}
        onChange={({ currentTarget }) => set({ description: currentTarget.value })}
      />
      <div className={classes['fields']}>
        <NativeSelect
          label="Status"
          value={draft.status}
          data={statusesOf(video).map((value) => ({ value, label: statusWords[value] }))}
          onChange={({ currentTarget }) => set({ status: currentTarget.value as Video['status'] })}
        />
        <BrandField
          brandId={draft.brand_id}
          fault={faults['brand_id']}
          onChange={(brand_id) => set({ brand_id })}
        />
      </div>
      <EpisodeFields draft={draft} faults={faults} set={set} />
      <CommaField
        label="Keywords, by commas"
        value={draft.keywords}
        error={faults['keywords']}
        onChange={(keywords) => set({ keywords })}
      />
      <GenreFields draft={draft} fault={faults['genres']} set={set} />
      <div className={classes['fields']}>
        {labelNames.map((name) => (
          <TextInput
            key={name}
            label={labels[name]}
            value={draft[name]}
            error={faults[name]}
            onChange={({ currentTarget }) => set({ [name]: currentTarget.value })}
          />
        ))}
      </div>
      <TimeFields draft={draft} faults={faults} set={set} />
    </FormDialog>
  )
}

interface PartProps {
  readonly draft: Draft
  readonly set: (change: Partial<Draft>) => void
}

interface FaultsProps extends PartProps {
  readonly faults: Faults
}

interface FaultProps extends PartProps {
  readonly fault: string | undefined
}

/** Its place in a series. */
function EpisodeFields({ draft, faults, set }: FaultsProps) {
  const { data: series = [] } = useSeriesChoices()
  return (
    <div className={classes['episode']}>
      <NativeSelect
        label="Series"
        value={draft.series_id}
        error={faults['series_id']}
        data={choicesWith(draft.series_id, series, texts)}
        onChange={({ currentTarget }) => set({ series_id: currentTarget.value })}
      />
      {Object.entries(numbers).map(([name, label]) => (
        <NumberInput
          key={name}
          label={label}
          min={0}
          allowDecimal={false}
          value={draft[name as keyof typeof numbers]}
          error={faults[name]}
          onChange={(value) => set({ [name]: value === '' ? '' : Number(value) })}
        />
      ))}
    </div>
  )
}

function GenreFields({ draft: { genres }, fault, set }: FaultProps) {
  const change = (at: number, part: Partial<Video['genres'][number]>) =>
    set({ genres: genres.with(at, { ...genres[at]!, ...part }) })
  return (
    <fieldset className={classes['group']}>
      <legend>Genres</legend>
      {genres.map(({ genre, sub_genre }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: its name changes while it is typed.
        <div key={at} className={classes['genre']}>
          <TextInput
            aria-label={`Genre ${at + 1}`}
            placeholder="Genre"
            value={genre}
            error={fault !== undefined}
            onChange={({ currentTarget }) => change(at, { genre: currentTarget.value })}
          />
          <TextInput
            aria-label={`Sub-genre ${at + 1}`}
            placeholder="Sub-genre, if any"
            value={sub_genre}
            onChange={({ currentTarget }) => change(at, { sub_genre: currentTarget.value })}
          />
          <CloseButton
            aria-label={`Remove genre ${at + 1}`}
            onClick={() => set({ genres: genres.toSpliced(at, 1) })}
          />
        </div>
      ))}
      {fault !== undefined && (
        <p role="alert" className={classes['fault']}>
          {fault}
        </p>
      )}
      <Button
        size="compact-xs"
        variant="subtle"
        onClick={() => set({ genres: [...genres, { genre: '', sub_genre: '' }] })}
      >
        Add a genre
      </Button>
    </fieldset>
  )
}

/** When it may be seen, and when it was published. */
function TimeFields({ draft, faults, set }: FaultsProps) {
  const field = (name: (typeof times)[number], label: string) => (
    <DateTimeField
      label={label}
      zone="UTC"
      value={draft[name]}
      error={faults[name]}
      onChange={(value) => set({ [name]: value })}
    />
  )
  return (
    <>
      <fieldset className={classes['group']}>
        <legend>Availability</legend>
        <div className={classes['moments']}>
          {field('date_available', 'From')}
          {field('date_expired', 'Until')}
        </div>
        <p className={classes['under']}>
          Apps show it, and rules plan it, in this time only. Empty: without a limit.
        </p>
      </fieldset>
      {field('date_published', 'Published')}
    </>
  )
}

/** A person sets one of three; the others are set by ingest, and stay until then. */
const statusesOf = ({ status }: Video): readonly Video['status'][] => [
  ...(status === 'PROCESSING' || status === 'ERROR' ? [status] : []),
  'DRAFT',
  'READY',
  'DISABLED',
]

/** What can be found without the service. */
function findFaults(draft: Draft): Faults {
  const unreadable = times.filter(
    (name) => draft[name] !== '' && utcClock.fromInput(draft[name]) === undefined,
  )
  if (unreadable.length > 0) {
    const text = 'Give a day, and a time such as 20:00, or neither.'
    return Object.fromEntries(unreadable.map((name) => [name, text]))
  }
  const [fromMs = -Infinity, untilMs = Infinity] = [draft.date_available, draft.date_expired].map((value) =>
    utcClock.fromInput(value),
  )
  return untilMs > fromMs ? {} : { date_expired: 'It has to be after the time from which it is available.' }
}

function changesOf(draft: Draft, before: Draft): BodyOf<Operations['changeVideo']> {
  const changed = Object.entries(draft).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name as keyof Draft]),
  )
  return Object.fromEntries(changed.map(([name, value]) => [name, wireValue(name, value)]))
}

function wireValue(name: string, value: Draft[keyof Draft]): unknown {
  if (name === 'description') return value
  if (name === 'genres') return (value as Draft['genres']).filter(({ genre }) => genre !== '')
  if (value === '') return null
  return name.startsWith('date_') ? new Date(utcClock.fromInput(value as string)!).toISOString() : value
}
