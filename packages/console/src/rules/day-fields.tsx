import { Button, Checkbox, CloseButton, TextInput } from '@mantine/core'
import { useFault } from './rules-faults.tsx'
import classes from './rules-page.module.css'
import { type Weekday, weekdayNames } from './rules-types.ts'

const all = Object.keys(weekdayNames) as Weekday[]

interface DaysFieldProps {
  readonly value: readonly Weekday[] | null | undefined
  readonly pointer: string
  readonly onChange: (value: Weekday[] | null) => void
}

/** Without a value, every day. */
export function DaysField({ value, pointer, onChange }: DaysFieldProps) {
  const fault = useFault(pointer)
  return (
    <Checkbox.Group
      label="Begins on"
      error={fault}
      value={[...(value ?? all)]}
      onChange={(days) => {
        const chosen = all.filter((day) => days.includes(day))
        onChange(chosen.length === all.length ? null : chosen)
      }}
    >
      <div className={classes['days']}>
        {all.map((day) => (
          <Checkbox key={day} size="xs" value={day} label={weekdayNames[day]} />
        ))}
      </div>
    </Checkbox.Group>
  )
}

interface Times {
  readonly from: string
  readonly to: string
}

interface TimesFieldProps {
  readonly value: readonly Times[]
  readonly pointer: string
  readonly zone: string
  readonly onChange: (value: Times[]) => void
}

export function TimesField({ value, pointer, zone, onChange }: TimesFieldProps) {
  const fault = useFault(pointer)
  return (
    <fieldset className={classes['times']}>
      <legend>Times, {zone}</legend>
      {value.map((times, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a time has no other name than its place.
        <div key={at} className={classes['span']}>
          <TimeFields
            value={times}
            pointer={`${pointer}/${at}`}
            name={`Time ${at + 1}`}
            onChange={(next) => onChange(value.with(at, next))}
          />
          <CloseButton
            aria-label={`Remove time ${at + 1}`}
            disabled={value.length === 1}
            onClick={() => onChange(value.filter((_, other) => other !== at))}
          />
        </div>
      ))}
      {fault !== undefined && <p className={classes['fault']}>{fault}</p>}
      <Button
        size="compact-xs"
        variant="subtle"
        onClick={() => onChange([...value, { from: value.at(-1)?.to ?? '20:00', to: '22:00' }])}
      >
        Add a time
      </Button>
    </fieldset>
  )
}

interface TimeFieldsProps {
  readonly value: Times
  readonly pointer: string
  readonly name: string
  readonly onChange: (value: Times) => void
}

export function TimeFields({ value, pointer, name, onChange }: TimeFieldsProps) {
  return (
    <>
      <TextInput
        size="sm"
        w="5.5rem"
        maxLength={5}
        placeholder="20:00"
        aria-label={`${name} from`}
        value={value.from}
        error={useFault(`${pointer}/from`)}
        onChange={({ currentTarget }) => onChange({ ...value, from: currentTarget.value })}
      />
      <span aria-hidden="true">to</span>
      <TextInput
        size="sm"
        w="5.5rem"
        maxLength={5}
        placeholder="20:00"
        aria-label={`${name} to`}
        value={value.to}
        error={useFault(`${pointer}/to`)}
        onChange={({ currentTarget }) => onChange({ ...value, to: currentTarget.value })}
      />
      {value.to <= value.from && value.to.length === 5 && (
        <span className={classes['hint']}>of the next day</span>
      )}
    </>
  )
}
