import { TextInput } from '@mantine/core'
import classes from './program-dialog.module.css'

interface DateTimeFieldProps {
  /** Starts, Ends. */
  readonly label: string
  readonly zone: string
  /** 2026-11-17T20:00:00; either half may be empty or unfinished. */
  readonly value: string
  readonly error: string | undefined
  readonly hint?: string
  readonly onChange: (value: string) => void
}

/** A day and a time. The time is text: an input of the browser would show a.m. and p.m. where its language does. */
export function DateTimeField({ label, zone, value, error, hint, onChange }: DateTimeFieldProps) {
  const [day = '', time = ''] = value.split('T')
  const join = (nextDay: string, nextTime: string) =>
    onChange(nextDay === '' && nextTime === '' ? '' : `${nextDay}T${nextTime}`)
  return (
    <div className={classes['moment']}>
      <TextInput
        type="date"
        label={`${label} on`}
        value={day}
        error={error === undefined ? undefined : true}
        onChange={({ currentTarget }) => join(currentTarget.value, time)}
      />
      <TextInput
        label={`${label} at, ${zone}`}
        placeholder="20:00"
        maxLength={8}
        value={time.replace(/^(\d\d:\d\d):00$/, '$1')}
        error={error}
        onChange={({ currentTarget }) => join(day, currentTarget.value)}
      />
      {hint !== undefined && <p className={classes['hint']}>{hint}</p>}
    </div>
  )
}
