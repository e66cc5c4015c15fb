import { Button, Checkbox, NativeSelect, NumberInput, TextInput } from '@mantine/core'
import { BreaksFields } from './breaks-fields.tsx'
import { DaysField, TimesField } from './day-fields.tsx'
import { FillingFields } from './filling-fields.tsx'
import { useFault } from './rules-faults.tsx'
import classes from './rules-page.module.css'
import { type Block, choicesOf, startWords } from './rules-types.ts'

interface BlockFieldsProps {
  readonly value: Block
  readonly at: number
  readonly zone: string
  readonly blockIds: readonly string[]
  readonly onChange: (value: Block) => void
  readonly onRemove: () => void
}

/** A block: on which days and at which times what is shown. */
export function BlockFields({ value, at, zone, blockIds, onChange, onRemove }: BlockFieldsProps) {
  const pointer = `/blocks/${at}`
  return (
    <fieldset className={classes['block']} aria-label={`Block ${value.id}`}>
      <div className={classes['block-head']}>
        <TextInput
          label="Name of the block"
          value={value.id}
          error={useFault(`${pointer}/id`)}
          onChange={({ currentTarget }) => onChange({ ...value, id: currentTarget.value })}
        />
        <Button size="xs" variant="default" aria-label={`Remove block ${value.id}`} onClick={onRemove}>
          Remove
        </Button>
      </div>
      <DaysField
        value={value.days}
        pointer={`${pointer}/days`}
        onChange={(days) => onChange({ ...value, days })}
      />
      <TimesField
        value={value.times}
        pointer={`${pointer}/times`}
        zone={zone}
        onChange={(times) => onChange({ ...value, times })}
      />
      <FillingFields
        value={value}
        pointer={pointer}
        blockIds={blockIds.filter((id) => id !== value.id)}
        onChange={onChange}
      />
      <MoreFields value={value} pointer={pointer} onChange={onChange} />
    </fieldset>
  )
}

interface MoreFieldsProps {
  readonly value: Block
  readonly pointer: string
  readonly onChange: (value: Block) => void
}

function MoreFields({ value, pointer, onChange }: MoreFieldsProps) {
  const optionalText = (text: string) => (text === '' ? null : text)
  const { starts: _starts, ...withoutStarts } = value
  const { breaks: _breaks, ...withoutBreaks } = value
  const faults = {
    most: useFault(`${pointer}/most`),
    priority: useFault(`${pointer}/priority`),
    first: useFault(`${pointer}/first_date`),
    last: useFault(`${pointer}/last_date`),
    title: useFault(`${pointer}/title`),
    track: useFault(`${pointer}/track`),
  }
  return (
    <details className={classes['more']}>
      <summary>More of this block</summary>
      <div className={classes['fields']}>
        <NativeSelect
          label="Programs begin"
          value={value.starts ?? ''}
          data={[{ value: '', label: 'As for the channel' }, ...choicesOf(startWords)]}
          onChange={({ currentTarget: { value: starts } }) =>
            onChange(
              starts === '' ? withoutStarts : { ...value, starts: starts as NonNullable<Block['starts']> },
            )
          }
        />
        <NumberInput
          label="At most programs"
          placeholder="As many as fit"
          min={1}
          allowDecimal={false}
          value={value.most ?? ''}
          error={faults.most}
          onChange={(most) => onChange({ ...value, most: most === '' ? null : Number(most) })}
        />
        <NativeSelect
          label="When nothing more fits"
          value={value.rest ?? 'DEFAULT'}
          data={[
            { value: 'DEFAULT', label: 'The default follows' },
            { value: 'FILL', label: 'The rest is filled' },
          ]}
          onChange={({ currentTarget }) =>
            onChange({ ...value, rest: currentTarget.value as 'DEFAULT' | 'FILL' })
          }
        />
        <NumberInput
          label="Priority over other blocks"
          placeholder="0"
          allowDecimal={false}
          value={value.priority ?? ''}
          error={faults.priority}
          onChange={(priority) => onChange({ ...value, priority: priority === '' ? null : Number(priority) })}
        />
        <TextInput
          type="date"
          label="First day"
          value={value.first_date ?? ''}
          error={faults.first}
          onChange={({ currentTarget }) =>
            onChange({ ...value, first_date: optionalText(currentTarget.value) })
          }
        />
        <TextInput
          type="date"
          label="Last day"
          value={value.last_date ?? ''}
          error={faults.last}
          onChange={({ currentTarget }) =>
            onChange({ ...value, last_date: optionalText(currentTarget.value) })
          }
        />
        <TextInput
          label="Title of its programs"
          placeholder="That of the series or the video"
          value={value.title ?? ''}
          error={faults.title}
          onChange={({ currentTarget }) => onChange({ ...value, title: optionalText(currentTarget.value) })}
        />
        <TextInput
          label="Track"
          description="Blocks of the same track continue each other."
          placeholder="main"
          value={value.track ?? ''}
          error={faults.track}
          onChange={({ currentTarget }) => onChange({ ...value, track: optionalText(currentTarget.value) })}
        />
      </div>
      <Checkbox
        label="Ad breaks of its own"
        checked={value.breaks !== undefined}
        onChange={({ currentTarget }) =>
          onChange(currentTarget.checked ? { ...value, breaks: { at: 'BETWEEN' } } : withoutBreaks)
        }
      />
      {value.breaks !== undefined && (
        <BreaksFields
          value={value.breaks}
          pointer={`${pointer}/breaks`}
          onChange={(breaks) => onChange({ ...value, breaks })}
        />
      )}
    </details>
  )
}
