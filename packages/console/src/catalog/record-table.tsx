import { Button } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { rolesFor } from '../session/may-call.ts'
import { Link } from '../shared/router.tsx'
import { serverNowMs } from '../shared/server-time.ts'
import { StatusBadge } from '../shared/status-badge.tsx'
import table from '../shared/table.module.css'
import { utcMoment } from '../shared/times.ts'
import type { Playlist, Series } from '../shared/wire-types.ts'
import classes from './catalog.module.css'
import { statusTones, statusWords } from './words.ts'

interface RecordHeadProps {
  readonly text: string
  readonly button: string
  /** Undefined if the user may not make one. */
  readonly dialog: ((onClose: () => void) => ReactNode) | undefined
  readonly needs: 'createSeries' | 'createPlaylist'
}

/** What the list contains, and the button that makes another one. */
export function RecordHead({ text, button, dialog, needs }: RecordHeadProps) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <div className={classes['head']}>
      <p>
        {text} {dialog === undefined && `To change them, you need ${rolesFor(needs)}.`}
      </p>
      {dialog !== undefined && <Button onClick={() => setIsOpen(true)}>{button}</Button>}
      {isOpen && dialog?.(() => setIsOpen(false))}
    </div>
  )
}

interface RecordTableProps<T> {
  readonly label: string
  readonly records: readonly T[]
  readonly addressOf: (record: T) => string
  readonly columns: readonly { readonly title: string; readonly of: (record: T) => number }[]
}

export function RecordTable<T extends Series | Playlist>(props: RecordTableProps<T>) {
  const { label, records, addressOf, columns } = props
  const nowMs = serverNowMs()
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls is scrolled by keys, too.
    <section className={table['scroll']} tabIndex={0} aria-label={label}>
      <table className={table['table']}>
        <thead>
          <tr>
            <th scope="col">Title</th>
            {columns.map(({ title }) => (
              <th key={title} scope="col" data-numeric>
                {title}
              </th>
            ))}
            <th scope="col">Status</th>
            <th scope="col">Last changed</th>
          </tr>
        </thead>
        <tbody>
          {records.map((record) => (
            <tr key={addressOf(record)}>
              <th scope="row" data-kind="text">
                <Link to={addressOf(record)}>{record.title}</Link>
              </th>
              {columns.map(({ title, of }) => (
                <td key={title} data-numeric>
                  {of(record).toLocaleString('en-GB')}
                </td>
              ))}
              <td>
                <StatusBadge text={statusWords[record.status]} tone={statusTones[record.status]} />
              </td>
              <td>
                <time dateTime={record.last_updated}>
                  {utcMoment(Date.parse(record.last_updated), nowMs)}
                </time>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
