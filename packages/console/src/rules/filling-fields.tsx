import { CloseButton, NativeSelect, TextInput } from '@mantine/core'
import { usePlaylists } from '../schedule/program-queries.ts'
import { CommaField } from '../shared/comma-field.tsx'
import { useSeriesChoices } from './plan-query.ts'
import { useFault } from './rules-faults.tsx'
import classes from './rules-page.module.css'
import { type Content, choicesOf, type Filling, orderWords } from './rules-types.ts'

interface FillingFieldsProps<F extends Filling> {
  readonly value: F
  readonly pointer: string
  /** Names of the other blocks. */
  readonly blockIds: readonly string[]
  readonly onChange: (value: F) => void
}

type Kind = 'series' | 'playlist' | 'filter' | 'block'

const kindWords: Readonly<Record<Kind, string>> = {
  series: 'Series',
  playlist: 'A playlist',
  filter: 'Videos of the catalog',
  block: 'What another block has aired',
}

const emptyContent: Readonly<Record<Kind, Content>> = {
  series: { series_ids: [] },
  playlist: { playlist_id: '' },
  filter: { filter: { in: { genre: [] } } },
  block: { block_id: '' },
}

function kindOf(content: Content): Kind {
  if (content.playlist_id != null) return 'playlist'
  if (content.filter != null) return 'filter'
  return content.block_id == null ? 'series' : 'block'
}

/** What is shown, and in which order. */
export function FillingFields<F extends Filling>({
  value,
  pointer,
  blockIds,
  onChange,
}: FillingFieldsProps<F>) {
  const kind = kindOf(value.content)
  const isEpisodes = value.order === 'NEXT_EPISODE' || value.order === 'MARATHON'
  const contentFault = useFault(`${pointer}/content`)
  const orders = choicesOf(orderWords).filter(({ value: order }) => order !== 'REPLAY' || kind === 'block')
  return (
    <>
      <div className={classes['pair']}>
        <NativeSelect
          label="Shows"
          value={kind}
          error={contentFault}
          data={choicesOf(kindWords).filter((one) => one.value !== 'block' || blockIds.length > 0)}
          onChange={({ currentTarget }) => {
            const content = emptyContent[currentTarget.value as Kind]
            const order = value.order === 'REPLAY' ? 'SHUFFLE' : value.order
            onChange({ ...value, content, order })
          }}
        />
        <ContentFields
          kind={kind}
          content={value.content}
          pointer={`${pointer}/content`}
          blockIds={blockIds}
          onChange={(content) => onChange({ ...value, content })}
        />
      </div>
      <div className={classes['pair']}>
        <NativeSelect
          label="In this order"
          value={value.order}
          error={useFault(`${pointer}/order`)}
          data={orders}
          onChange={({ currentTarget }) => onChange({ ...value, order: currentTarget.value as F['order'] })}
        />
        {isEpisodes && (
          <NativeSelect
            label="After the last episode"
            value={value.at_end ?? 'REPEAT'}
            data={[
              { value: 'REPEAT', label: 'Begin again' },
              { value: 'STOP', label: 'Wait for a new one' },
            ]}
            onChange={({ currentTarget }) =>
              onChange({ ...value, at_end: currentTarget.value as 'REPEAT' | 'STOP' })
            }
          />
        )}
      </div>
    </>
  )
}

interface ContentFieldsProps {
  readonly kind: Kind
  readonly content: Content
  readonly pointer: string
  readonly blockIds: readonly string[]
  readonly onChange: (content: Content) => void
}

function ContentFields(props: ContentFieldsProps) {
  if (props.kind === 'series') return <SeriesFields {...props} />
  if (props.kind === 'playlist') return <PlaylistField {...props} />
  return props.kind === 'filter' ? <FilterFields {...props} /> : <BlockField {...props} />
}

function SeriesFields({ content, pointer, onChange }: ContentFieldsProps) {
  const { data: series = [] } = useSeriesChoices()
  const chosen = content.series_ids ?? []
  const nameOf = (id: string) => series.find((one) => one.id === id)?.title ?? 'A series that does not exist'
  return (
    <div>
      <NativeSelect
        label="Series"
        value=""
        error={useFault(`${pointer}/series_ids`, { withBelow: true })}
        data={[
          { value: '', label: chosen.length === 0 ? 'Choose a series…' : 'Add a series…' },
          ...series
            .filter(({ id }) => !chosen.includes(id))
            .map(({ id, title }) => ({ value: id, label: title })),
        ]}
        onChange={({ currentTarget: { value } }) => {
          if (value !== '') onChange({ series_ids: [...chosen, value] })
        }}
      />
      <ul className={classes['chosen']}>
        {chosen.map((id) => (
          <li key={id}>
            {nameOf(id)}
            <CloseButton
              size="xs"
              aria-label={`Remove ${nameOf(id)}`}
              onClick={() => onChange({ series_ids: chosen.filter((one) => one !== id) })}
            />
          </li>
        ))}
      </ul>
    </div>
  )
}

function PlaylistField({ content, pointer, onChange }: ContentFieldsProps) {
  const { data: playlists = [] } = usePlaylists()
  return (
    <NativeSelect
      label="Playlist"
      value={content.playlist_id ?? ''}
      error={
        useFault(`${pointer}/playlist_id`) ?? (content.playlist_id === '' ? 'Choose a playlist.' : undefined)
      }
      data={[
        { value: '', label: playlists.length === 0 ? 'There is no playlist yet' : 'Choose a playlist…' },
        ...playlists.map(({ id, title }) => ({ value: id, label: title })),
      ]}
      onChange={({ currentTarget }) => onChange({ playlist_id: currentTarget.value })}
    />
  )
}

function BlockField({ content, pointer, blockIds, onChange }: ContentFieldsProps) {
  return (
    <NativeSelect
      label="Block"
      value={content.block_id ?? ''}
      error={useFault(`${pointer}/block_id`)}
      data={[{ value: '', label: 'Choose a block…' }, ...blockIds]}
      onChange={({ currentTarget }) => onChange({ block_id: currentTarget.value })}
    />
  )
}

const filterFields: Readonly<Record<string, string>> = {
  genre: 'Genre',
  content_type: 'Type',
  keywords: 'Keyword',
  parental_rating: 'Rating',
  brand_id: 'Brand',
}

/** One field with one of some values; filters of other forms are changed as JSON. */
function FilterFields({ content, pointer, onChange }: ContentFieldsProps) {
  const fault = useFault(`${pointer}/filter`, { withBelow: true })
  const simple = simpleFilter(content.filter)
  if (simple === undefined) {
    return (
      <TextInput
        label="Filter"
        description="A filter of this form is changed on the JSON tab."
        readOnly
        error={fault}
        value={JSON.stringify(content.filter)}
      />
    )
  }
  const set = (field: string, values: readonly string[]) =>
    onChange({ filter: { in: { [field]: [...values] } } })
  return (
    <div className={classes['pair']}>
      <NativeSelect
        label="By"
        value={simple.field}
        data={choicesOf(filterFields)}
        onChange={({ currentTarget }) => set(currentTarget.value, simple.values)}
      />
      <CommaField
        label="One of, by commas"
        placeholder="film, series"
        error={fault === undefined ? undefined : 'Give at least one value.'}
        value={simple.values}
        onChange={(values) => set(simple.field, values)}
      />
    </div>
  )
}

function simpleFilter(filter: Content['filter']): { field: string; values: readonly string[] } | undefined {
  const [field, values] = Object.entries(filter?.in ?? {})[0] ?? []
  if (field === undefined || Object.keys(filter?.in ?? {}).length !== 1 || !(field in filterFields))
    return undefined
  return { field, values: (values ?? []).map(String) }
}
