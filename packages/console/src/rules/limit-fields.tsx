import { Button, Checkbox, CloseButton, NativeSelect, NumberInput, TextInput } from '@mantine/core'
import type { ComponentType } from 'react'
import { DateTimeField } from '../schedule/date-time-field.tsx'
import { VideoName, VideoSearch } from '../schedule/program-items.tsx'
import { utcClock } from '../schedule/zone-clock.ts'
import { choicesWith } from '../shared/choices-with.ts'
import { CommaField } from '../shared/comma-field.tsx'
import { DaysField, TimeFields } from './day-fields.tsx'
import { useSeriesChoices } from './plan-query.ts'
import { useFault } from './rules-faults.tsx'
import classes from './rules-page.module.css'
import {
  type Availability,
  availabilityWords,
  choicesOf,
  type Rating,
  type Separation,
  separationWords,
} from './rules-types.ts'

interface ListProps<T> {
  readonly value: readonly T[]
  readonly onChange: (value: T[]) => void
}

interface LimitListProps<T> extends ListProps<T> {
  readonly legend: string
  /** Of an empty list. */
  readonly hint: string
  readonly button: string
  readonly added: T
  readonly Row: ComponentType<RowProps<T>>
}

function LimitList<T>({ legend, hint, button, added, Row, value, onChange }: LimitListProps<T>) {
  return (
    <fieldset className={classes['block']}>
      <legend>{legend}</legend>
      {value.length === 0 && <p className={classes['hint']}>{hint}</p>}
      {value.map((one, at) => (
        <Row
          // biome-ignore lint/suspicious/noArrayIndexKey: it has no other name than its place.
          key={at}
          value={one}
          at={at}
          onChange={(next) => onChange(value.with(at, next))}
          onRemove={() => onChange(value.toSpliced(at, 1))}
        />
      ))}
      <Button size="compact-xs" variant="subtle" onClick={() => onChange([...value, added])}>
        {button}
      </Button>
    </fieldset>
  )
}

const DAY_MINUTES = 1_440

/** How long nothing is repeated. */
export const SeparationFields = (props: ListProps<Separation>) => (
  <LimitList
    {...props}
    legend="Time between two airings"
    hint="No limit: anything may be repeated at once."
    button="Add a separation"
    added={{ by: 'VIDEO', minutes: DAY_MINUTES / 2 }}
    Row={SeparationRow}
  />
)

/** In which times only some ratings may be shown. */
export const RatingFields = (props: ListProps<Rating>) => (
  <LimitList
    {...props}
    legend="Ratings by time"
    hint="No limit: any rating at any time."
    button="Add a time for ratings"
    added={{ from: '06:00', to: '20:00', allowed: [] }}
    Row={RatingRow}
  />
)

/** From when on and until when something may be planned. */
export const AvailabilityFields = (props: ListProps<Availability>) => (
  <LimitList
    {...props}
    legend="Availability on this channel"
    hint="No limit but those of the catalog."
    button="Add a limit of availability"
    added={{ series_id: '' }}
    Row={AvailabilityRow}
  />
)

interface RowProps<T> {
  readonly value: T
  readonly at: number
  readonly onChange: (value: T) => void
  readonly onRemove: () => void
}

function SeparationRow({ value, at, onChange, onRemove }: RowProps<Separation>) {
  const keyword = useFault(`/separation/${at}/keyword`)
  const minutes = useFault(`/separation/${at}/minutes`)
  return (
    <div className={classes['limit']}>
      <NativeSelect
        aria-label={`Separation ${at + 1} of`}
        value={value.by}
        data={choicesOf(separationWords)}
        onChange={({ currentTarget }) => {
          const by = currentTarget.value as Separation['by']
          onChange({ ...value, by, keyword: by === 'KEYWORD' ? '' : null })
        }}
      />
      {value.by === 'KEYWORD' && (
        <TextInput
          aria-label={`Keyword of separation ${at + 1}`}
          placeholder="Keyword"
          value={value.keyword ?? ''}
          error={keyword === undefined ? undefined : 'Give a keyword.'}
          onChange={({ currentTarget }) => onChange({ ...value, keyword: currentTarget.value })}
        />
      )}
      <NumberInput
        aria-label={`Minutes of separation ${at + 1}`}
        suffix=" minutes"
        min={1}
        allowDecimal={false}
        value={value.minutes}
        error={minutes}
        onChange={(next) => onChange({ ...value, minutes: Number(next) })}
      />
      <Checkbox
        label="Never broken"
        checked={value.strict ?? false}
        onChange={({ currentTarget }) => onChange({ ...value, strict: currentTarget.checked })}
      />
      <CloseButton aria-label={`Remove separation ${at + 1}`} onClick={onRemove} />
    </div>
  )
}

function RatingRow({ value, at, onChange, onRemove }: RowProps<Rating>) {
  const pointer = `/ratings/${at}`
  const allowed = useFault(`${pointer}/allowed`, { withBelow: true })
  return (
    <div className={classes['rating']}>
      <div className={classes['span']}>
        <TimeFields
          value={value}
          pointer={pointer}
          name={`Ratings ${at + 1}`}
          onChange={(times) => onChange({ ...value, ...times })}
        />
        <CloseButton aria-label={`Remove ratings ${at + 1}`} onClick={onRemove} />
      </div>
      <DaysField
        value={value.days}
        pointer={`${pointer}/days`}
        onChange={(days) => onChange({ ...value, days })}
      />
      <CommaField
        label="Allowed ratings, by commas"
        placeholder="G, PG"
        error={allowed}
        value={value.allowed}
        onChange={(next) => onChange({ ...value, allowed: next })}
      />
      <Checkbox
        label="Videos without a rating too"
        checked={value.unrated ?? false}
        onChange={({ currentTarget }) => onChange({ ...value, unrated: currentTarget.checked })}
      />
    </div>
  )
}

type Subject = keyof typeof availabilityWords

function AvailabilityRow({ value, at, onChange, onRemove }: RowProps<Availability>) {
  const pointer = `/availability/${at}`
  const { series_id: _series, video_id: _video, keyword: _keyword, ...times } = value
  const subject: Subject =
    value.keyword != null ? 'keyword' : value.video_id != null ? 'video_id' : 'series_id'
  const whole = useFault(pointer)
  const isUnnamed = !value[subject]
  const moment = (name: 'from' | 'until', label: string) => ({
    label,
    zone: 'UTC',
    value: inputOf(value[name]),
    onChange: (text: string) => onChange({ ...value, [name]: timestampOf(text) }),
  })
  const faults = { from: useFault(`${pointer}/from`), until: useFault(`${pointer}/until`) }
  return (
    <fieldset className={classes['rating']} aria-label={`Availability ${at + 1}`}>
      <div className={classes['limit']}>
        <NativeSelect
          aria-label={`Availability ${at + 1} of`}
          value={subject}
          data={choicesOf(availabilityWords)}
          onChange={({ currentTarget }) => onChange({ ...times, [currentTarget.value]: '' })}
        />
        {subject === 'series_id' && (
          <SeriesField
            label={`Series of availability ${at + 1}`}
            value={value.series_id ?? ''}
            isFaulty={whole !== undefined && isUnnamed}
            onChange={(series_id) => onChange({ ...value, series_id })}
          />
        )}
        {subject === 'keyword' && (
          <TextInput
            aria-label={`Keyword of availability ${at + 1}`}
            placeholder="Keyword"
            value={value.keyword ?? ''}
            error={whole !== undefined && isUnnamed}
            onChange={({ currentTarget }) => onChange({ ...value, keyword: currentTarget.value })}
          />
        )}
        {subject === 'video_id' &&
          (isUnnamed ? (
            <VideoSearch
              label={`Video of availability ${at + 1}`}
              onChoose={({ video_id }) => onChange({ ...value, video_id })}
            />
          ) : (
            <VideoName videoId={value.video_id!} />
          ))}
        <CloseButton aria-label={`Remove availability ${at + 1}`} onClick={onRemove} />
      </div>
      <div className={classes['pair']}>
        <DateTimeField {...moment('from', 'From')} error={faults.from} />
        <DateTimeField {...moment('until', 'Until')} error={faults.until} />
      </div>
      {whole !== undefined && <p className={classes['fault']}>{whole}</p>}
    </fieldset>
  )
}

interface SeriesFieldProps {
  readonly label: string
  readonly value: string
  readonly isFaulty: boolean
  readonly onChange: (value: string) => void
}

function SeriesField({ label, value, isFaulty, onChange }: SeriesFieldProps) {
  const { data: series = [] } = useSeriesChoices()
  return (
    <NativeSelect
      aria-label={label}
      value={value}
      error={isFaulty}
      data={choicesWith(value, series, {
        none: 'Choose a series…',
        missing: 'A series that does not exist',
      })}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  )
}

/** What is unfinished is in the document as it was typed, where it is a fault. */
function timestampOf(text: string): string | null {
  if (text === '') return null
  const ms = utcClock.fromInput(text)
  return ms === undefined ? text : new Date(ms).toISOString()
}

function inputOf(timestamp: string | null | undefined): string {
  const ms = Date.parse(timestamp ?? '')
  return timestamp?.endsWith('Z') && !Number.isNaN(ms) ? utcClock.toInput(ms) : (timestamp ?? '')
}
