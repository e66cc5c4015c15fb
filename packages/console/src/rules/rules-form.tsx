import { Button, NativeSelect, NumberInput, TextInput } from '@mantine/core'
import { BlockFields } from './block-fields.tsx'
import { BreaksFields } from './breaks-fields.tsx'
import { FillingFields } from './filling-fields.tsx'
import { AvailabilityFields, RatingFields, SeparationFields } from './limit-fields.tsx'
import { useFault } from './rules-faults.tsx'
import classes from './rules-page.module.css'
import { type Block, choicesOf, type Rules, startWords } from './rules-types.ts'

interface RulesFormProps {
  readonly value: Rules
  readonly onChange: (value: Rules) => void
}

const zones = Intl.supportedValuesOf('timeZone')

/** The document as fields. What it has no field for stays as it is. */
export function RulesForm({ value, onChange }: RulesFormProps) {
  const blocks = value.blocks ?? []
  const blockIds = blocks.map(({ id }) => id)
  const setBlocks = (next: Block[]) => onChange({ ...value, blocks: next })
  const { default: _default, ...withoutDefault } = value
  return (
    <div className={classes['form']}>
      <div className={classes['fields']}>
        <TextInput
          label="Time zone"
          list="time-zones"
          value={value.time_zone}
          error={useFault('/time_zone')}
          onChange={({ currentTarget }) => onChange({ ...value, time_zone: currentTarget.value })}
        />
        <datalist id="time-zones">
          {zones.map((zone) => (
            <option key={zone} value={zone} />
          ))}
        </datalist>
        <NumberInput
          label="Days ahead"
          placeholder="14"
          min={1}
          max={60}
          allowDecimal={false}
          value={value.horizon_days ?? ''}
          error={useFault('/horizon_days')}
          onChange={(days) => onChange({ ...value, horizon_days: days === '' ? null : Number(days) })}
        />
        <NativeSelect
          label="Programs begin"
          value={value.starts ?? 'NONE'}
          data={choicesOf(startWords)}
          onChange={({ currentTarget }) =>
            onChange({ ...value, starts: currentTarget.value as NonNullable<Rules['starts']> })
          }
        />
      </div>
      <section className={classes['form']} aria-label="Blocks">
        <h2>Blocks</h2>
        {blocks.length === 0 && (
          <p className={classes['hint']}>No block yet. A block shows something on chosen days and times.</p>
        )}
        {blocks.map((block, at) => (
          <BlockFields
            // biome-ignore lint/suspicious/noArrayIndexKey: its name changes while it is typed.
            key={at}
            value={block}
            at={at}
            zone={value.time_zone}
            blockIds={blockIds}
            onChange={(next) => setBlocks(blocks.with(at, next))}
            onRemove={() => setBlocks(blocks.filter((_, other) => other !== at))}
          />
        ))}
        <Button variant="default" onClick={() => setBlocks([...blocks, newBlock(blockIds)])}>
          Add a block
        </Button>
      </section>
      <fieldset className={classes['block']}>
        <legend>Default, for time without a block</legend>
        <NativeSelect
          label="Time without a block"
          value={value.default === undefined ? 'fill' : 'show'}
          data={[
            { value: 'fill', label: 'is filled with the fillers of the channel' },
            { value: 'show', label: 'shows this:' },
          ]}
          onChange={({ currentTarget }) =>
            onChange(
              currentTarget.value === 'fill'
                ? withoutDefault
                : { ...value, default: { content: { series_ids: [] }, order: 'SHUFFLE', track: 'default' } },
            )
          }
        />
        {value.default !== undefined && (
          <FillingFields
            value={value.default}
            pointer="/default"
            blockIds={blockIds}
            onChange={(filling) => onChange({ ...value, default: filling })}
          />
        )}
      </fieldset>
      <fieldset className={classes['block']}>
        <legend>Ad breaks</legend>
        <BreaksFields
          value={value.breaks ?? {}}
          pointer="/breaks"
          onChange={(breaks) => onChange({ ...value, breaks })}
        />
      </fieldset>
      <SeparationFields
        value={value.separation ?? []}
        onChange={(separation) => onChange({ ...value, separation })}
      />
      <RatingFields value={value.ratings ?? []} onChange={(ratings) => onChange({ ...value, ratings })} />
      <AvailabilityFields
        value={value.availability ?? []}
        onChange={(availability) => onChange({ ...value, availability })}
      />
    </div>
  )
}

function newBlock(taken: readonly string[]): Block {
  let number = taken.length + 1
  while (taken.includes(`block ${number}`)) number += 1
  return {
    id: `block ${number}`,
    times: [{ from: '20:00', to: '22:00' }],
    content: { series_ids: [] },
    order: 'NEXT_EPISODE',
  }
}
