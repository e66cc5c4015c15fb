import { NativeSelect, NumberInput } from '@mantine/core'
import { usePlaylists } from '../schedule/program-queries.ts'
import { useFault } from './rules-faults.tsx'
import classes from './rules-page.module.css'
import { type Breaks, breakWords, choicesOf } from './rules-types.ts'

interface BreaksFieldsProps {
  readonly value: Breaks
  readonly pointer: string
  readonly onChange: (value: Breaks) => void
}

/** Where ad breaks are, and how long. */
export function BreaksFields({ value, pointer, onChange }: BreaksFieldsProps) {
  const { data: playlists = [] } = usePlaylists()
  const at = value.at ?? 'NONE'
  const number = (
    name: 'every_minutes' | 'length_seconds' | 'most_per_hour' | 'from_start_minutes' | 'from_end_minutes',
  ) => ({
    value: value[name] ?? '',
    onChange: (next: string | number) => onChange({ ...value, [name]: next === '' ? null : Number(next) }),
    allowDecimal: false,
    min: 0,
  })
  const interstitials = (name: 'before_playlist_id' | 'after_playlist_id') => ({
    value: value[name] ?? '',
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) =>
      onChange({ ...value, [name]: currentTarget.value === '' ? null : currentTarget.value }),
    data: [
      { value: '', label: 'Nothing' },
      ...playlists.map(({ id, title }) => ({ value: id, label: title })),
    ],
  })
  const faults = {
    every: useFault(`${pointer}/every_minutes`),
    length: useFault(`${pointer}/length_seconds`),
    most: useFault(`${pointer}/most_per_hour`),
    start: useFault(`${pointer}/from_start_minutes`),
    end: useFault(`${pointer}/from_end_minutes`),
    before: useFault(`${pointer}/before_playlist_id`),
    after: useFault(`${pointer}/after_playlist_id`),
  }
  return (
    <div className={classes['fields']}>
      <NativeSelect
        label="Ad breaks"
        value={at}
        data={choicesOf(breakWords)}
        onChange={({ currentTarget }) =>
          onChange({ ...value, at: currentTarget.value as NonNullable<Breaks['at']> })
        }
      />
      {at !== 'NONE' && (
        <>
          <NumberInput
            label="Length, seconds"
            placeholder="120"
            error={faults.length}
            {...number('length_seconds')}
          />
          <NumberInput
            label="At least minutes apart"
            placeholder="15"
            error={faults.every}
            {...number('every_minutes')}
          />
          <NumberInput
            label="At most in an hour"
            placeholder="No limit"
            error={faults.most}
            {...number('most_per_hour')}
          />
          {at === 'CUE_POINTS' && (
            <>
              <NumberInput
                label="Minutes after the start"
                placeholder="3"
                error={faults.start}
                {...number('from_start_minutes')}
              />
              <NumberInput
                label="Minutes before the end"
                placeholder="3"
                error={faults.end}
                {...number('from_end_minutes')}
              />
            </>
          )}
          <NativeSelect
            label="Before a break, one of"
            error={faults.before}
            {...interstitials('before_playlist_id')}
          />
          <NativeSelect
            label="After a break, one of"
            error={faults.after}
            {...interstitials('after_playlist_id')}
          />
        </>
      )}
    </div>
  )
}
