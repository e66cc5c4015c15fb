import { TextInput } from '@mantine/core'
import { ItemButtons } from '../shared/item-buttons.tsx'
import classes from './ingest.module.css'
import type { DraftItem } from './ingest-draft.ts'
import type { IngestFault } from './ingest-faults.ts'

interface ItemFieldsProps {
  readonly items: readonly DraftItem[]
  readonly faults: readonly IngestFault[]
  readonly onChange: (items: readonly DraftItem[]) => void
}

/** Fields of a video, in the order of the form. */
const fields = [
  { name: 'title', label: 'Title' },
  { name: 'video_source_id', label: 'Partner’s id' },
  { name: 'video_url', label: 'Address of the file' },
  { name: 'duration', label: 'Length, seconds' },
  { name: 'image_url', label: 'Address of a picture, if any' },
  { name: 'description', label: 'Description, if any' },
] as const

/** What the program shows, in order. */
export function ItemFields({ items, faults, onChange }: ItemFieldsProps) {
  const whole = faults.find(({ pointer }) => pointer === '/videos')?.text
  return (
    <div>
      <h3>Items, in order</h3>
      {items.length === 0 && <p className={classes['hint']}>Nothing yet.</p>}
      {whole !== undefined && (
        <p className={classes['fault']} role="alert">
          {whole}
        </p>
      )}
      <ol className={classes['drafts']} aria-label="Items of the program">
        {items.map((item, at) => (
          <li key={item.key} className={classes['draft']}>
            <div className={classes['draftHead']}>
              <strong>
                {at + 1}. {item.type === 'AD_POD' ? 'Ad break' : 'Video'}
              </strong>
              <span className={classes['draftButtons']}>
                <ItemButtons items={items} at={at} onChange={onChange} />
              </span>
            </div>
            <div className={classes['fields']}>
              {fields
                .filter(({ name }) => item.type === 'VIDEO' || name === 'duration')
                .map(({ name, label }) => (
                  <TextInput
                    key={name}
                    label={label}
                    aria-label={`${label}, item ${at + 1}`}
                    value={item[name]}
                    error={faults.find(({ pointer }) => pointer === `/videos/${at}/${name}`)?.text}
                    onChange={({ currentTarget }) =>
                      onChange(items.with(at, { ...item, [name]: currentTarget.value }))
                    }
                  />
                ))}
            </div>
            <Others item={item} faults={faults.filter(({ pointer }) => isOther(pointer, at))} />
          </li>
        ))}
      </ol>
    </div>
  )
}

const isOther = (pointer: string, at: number): boolean =>
  pointer === `/videos/${at}` ||
  (pointer.startsWith(`/videos/${at}/`) && !fields.some(({ name }) => pointer === `/videos/${at}/${name}`))

/** What a file has besides the fields of the form: it is sent as it is. */
function Others({ item: { others }, faults }: { item: DraftItem; faults: readonly IngestFault[] }) {
  const names = Object.keys(others)
  return (
    <>
      {names.length > 0 && <p className={classes['hint']}>Also from the file: {names.join(', ')}.</p>}
      {faults.map(({ pointer, text }) => (
        <p key={`${pointer} ${text}`} className={classes['fault']} role="alert">
          {pointer.split('/').slice(3).join(' ')} {text}
        </p>
      ))}
    </>
  )
}
