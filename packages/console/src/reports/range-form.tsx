import { Button, Checkbox, NativeSelect, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { Link } from '../shared/router.tsx'
import { useServerNow } from '../shared/server-time.ts'
import { addressOf } from './report-address.ts'
import type { ReportChoice } from './report-query.ts'
import { lastDays, reasonAgainstRange } from './report-range.ts'
import classes from './reports.module.css'

interface RangeFormProps {
  readonly choice: ReportChoice
  readonly onChoose: (choice: ReportChoice) => void
}

const presets = [
  { days: 1, title: 'Today' },
  { days: 7, title: '7 days' },
  { days: 28, title: '28 days' },
  { days: 92, title: '92 days' },
] as const

/** The days are shown when the form is sent: a year that is being typed is another year four times. */
export function RangeForm({ choice, onChoose }: RangeFormProps) {
  const { report, range, hasCountries, isByMinute } = choice
  const [days, setDays] = useState(range)
  const nowMs = useServerNow()
  const reason = reasonAgainstRange(days, isByMinute)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (reason === undefined) onChoose({ ...choice, range: days })
  }
  return (
    <form className={classes['tools']} aria-label="What the report contains" onSubmit={submit}>
      <TextInput
        type="date"
        label="First day, UTC"
        value={days.from}
        aria-invalid={reason !== undefined}
        onChange={(event) => setDays({ ...days, from: event.currentTarget.value })}
      />
      <TextInput
        type="date"
        label="Last day, UTC"
        value={days.to}
        aria-invalid={reason !== undefined}
        onChange={(event) => setDays({ ...days, to: event.currentTarget.value })}
      />
      <Button type="submit" variant="default" disabled={reason !== undefined}>
        Show
      </Button>
      <span className={classes['presets']}>
        {presets.map(({ days: count, title }) => {
          const to = lastDays(count, nowMs)
          const isCurrent = to.from === range.from && to.to === range.to
          return (
            <Link
              key={count}
              to={addressOf({ ...choice, range: to })}
              aria-current={isCurrent ? 'true' : undefined}
            >
              {title}
            </Link>
          )
        })}
      </span>
      {report.hasMinutes === true && (
        <NativeSelect
          label="One row for each"
          data={[
            { value: 'hour', label: 'Hour' },
            { value: 'minute', label: 'Minute' },
          ]}
          value={isByMinute ? 'minute' : 'hour'}
          onChange={(event) => onChoose({ ...choice, isByMinute: event.currentTarget.value === 'minute' })}
        />
      )}
      {report.countries !== undefined && (
        <Checkbox
          className={classes['check']}
          label="By country"
          checked={hasCountries && !isByMinute}
          disabled={isByMinute}
          onChange={(event) => onChoose({ ...choice, hasCountries: event.currentTarget.checked })}
        />
      )}
      {reason !== undefined && (
        <p className={classes['fault']} role="alert">
          {reason}
        </p>
      )}
    </form>
  )
}
