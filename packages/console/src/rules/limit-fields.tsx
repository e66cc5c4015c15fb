import { Button, Checkbox, CloseButton, NativeSelect, NumberInput, TextInput } from '@mantine/core'
import { DaysField, TimeFields } from './day-fields.tsx'
import { useFault } from './rules-faults.tsx'
import classes from './rules-page.module.css'
import { choicesOf, type Rating, type Separation, separationWords } from './rules-types.ts'

interface ListProps<T> {
  readonly value: readonly T[]
  readonly onChange: (value: T[]) => void
}

const DAY_MINUTES = 1_440

/** How long nothing is repeated. */
export function SeparationFields({ value, onChange }: ListProps<Separation>) {
  return (
    <fieldset className={classes['block']}>
      <legend>Time between two airings</legend>
      {value.length === 0 && <p className={classes['hint']}>No limit: anything may be repeated at once.</p>}
      {value.map((one, at) => (
        <SeparationRow
          // biome-ignore lint/suspicious/noArrayIndexKey: it has no other name than its place.
          key={at}
          value={one}
          at={at}
          onChange={(next) => onChange(value.with(at, next))}
          onRemove={() => onChange(value.filter((_, other) => other !== at))}
        />
      ))}
      <Button
        size="compact-xs"
        variant="subtle"
        onClick={() => onChange([...value, { by: 'VIDEO', minutes: DAY_MINUTES / 2 }])}
      >
        Add a separation
      </Button>
    </fieldset>
  )
}

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

/** In which times only some ratings may be shown. */
export function RatingFields({ value, onChange }: ListProps<Rating>) {
  return (
    <fieldset className={classes['block']}>
      <legend>Ratings by time</legend>
      {value.length === 0 && <p className={classes['hint']}>No limit: any rating at any time.</p>}
      {value.map((one, at) => (
        <RatingRow
          // biome-ignore lint/suspicious/noArrayIndexKey: it has no other name than its place.
          key={at}
          value={one}
          at={at}
          onChange={(next) => onChange(value.with(at, next))}
          onRemove={() => onChange(value.filter((_, other) => other !== at))}
        />
      ))}
      <Button
        size="compact-xs"
        variant="subtle"
        onClick={() => onChange([...value, { from: '06:00', to: '20:00', allowed: [] }])}
      >
        Add a time for ratings
      </Button>
    </fieldset>
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
      <TextInput
        label="Allowed ratings, by commas"
        placeholder="G, PG"
        error={allowed}
        defaultValue={value.allowed.join(', ')}
        onChange={({ currentTarget }) =>
          onChange({
            ...value,
            allowed: currentTarget.value
              .split(',')
              .map((one) => one.trim())
              .filter((one) => one !== ''),
          })
        }
      />
      <Checkbox
        label="Videos without a rating too"
        checked={value.unrated ?? false}
        onChange={({ currentTarget }) => onChange({ ...value, unrated: currentTarget.checked })}
      />
    </div>
  )
}
