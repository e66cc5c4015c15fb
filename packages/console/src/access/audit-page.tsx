import { Button, NativeSelect, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useChannels, useUserNames } from '../on-air/channel-queries.ts'
import { useClient } from '../session/session-context.tsx'
import { PAGE_SIZE, useMarkPages } from '../shared/mark-pages.ts'
import { ReadState } from '../shared/page-state.tsx'
import { Pager } from '../shared/pager.tsx'
import { keys } from '../shared/query-keys.ts'
import { Link, navigate, useAddress } from '../shared/router.tsx'
import { useServerNow } from '../shared/server-time.ts'
import { utcMoment } from '../shared/times.ts'
import type { AuditEntry, Channel } from '../shared/wire-types.ts'
import classes from './access.module.css'
import { actionText, changesOf, subjectName } from './audit-words.ts'

interface Filter {
  readonly from: string
  readonly to: string
  readonly user: string
  readonly channel: string
}

const filterOf = (query: URLSearchParams): Filter => ({
  from: query.get('from') ?? '',
  to: query.get('to') ?? '',
  user: query.get('user') ?? '',
  channel: query.get('channel') ?? '',
})

function show(filter: Filter): void {
  const given = Object.entries(filter).filter(([, value]) => value !== '')
  navigate(`/access/audit${given.length === 0 ? '' : `?${new URLSearchParams(given)}`}`)
}

/** Who did what, newest first. */
export function AuditPage() {
  const { query } = useAddress()
  const filter = filterOf(query)
  const key = JSON.stringify(filter)
  return (
    <>
      <FilterForm key={key} filter={filter} />
      <Entries key={`entries ${key}`} filter={filter} />
    </>
  )
}

function FilterForm({ filter }: { filter: Filter }) {
  const users = useUserNames()
  const channels = useChannels().data ?? []
  const [days, setDays] = useState({ from: filter.from, to: filter.to })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    show({ ...filter, ...days })
  }
  return (
    <form className={classes['filters']} aria-label="Entries to show" onSubmit={submit}>
      <NativeSelect
        label="Who"
        data={[{ value: '', label: 'Everyone' }, ...[...users].map(([value, label]) => ({ value, label }))]}
        value={filter.user}
        onChange={(event) => show({ ...filter, user: event.currentTarget.value })}
      />
      <NativeSelect
        label="Channel"
        data={[
          { value: '', label: 'Everything' },
          ...channels.map(({ linear_channel_id, title }) => ({ value: linear_channel_id, label: title })),
        ]}
        value={filter.channel}
        onChange={(event) => show({ ...filter, channel: event.currentTarget.value })}
      />
      <TextInput
        type="date"
        label="First day, UTC"
        value={days.from}
        onChange={(event) => setDays({ ...days, from: event.currentTarget.value })}
      />
      <TextInput
        type="date"
        label="Last day, UTC"
        value={days.to}
        onChange={(event) => setDays({ ...days, to: event.currentTarget.value })}
      />
      <Button type="submit" variant="default">
        Show
      </Button>
    </form>
  )
}

const DAY_MS = 86_400_000

const startOf = (day: string): string | undefined => {
  const ms = Date.parse(`${day}T00:00:00.000Z`)
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString()
}

/** The service takes times and excludes the last one; here a day is included. */
function queryOf({ from, to, user, channel }: Filter) {
  const [start, last] = [startOf(from), startOf(to)]
  return {
    ...(start === undefined ? {} : { from: start }),
    ...(last === undefined ? {} : { to: new Date(Date.parse(last) + DAY_MS).toISOString() }),
    ...(user === '' ? {} : { user_id: user }),
    ...(channel === '' ? {} : { subject_id: channel }),
  }
}

function Entries({ filter }: { filter: Filter }) {
  const client = useClient()
  const users = useUserNames()
  const channels = useChannels().data ?? []
  const nowMs = useServerNow()
  const { data, error, pager } = useMarkPages<AuditEntry>(
    [...keys.audit, 'pages', filter],
    (page_offset, signal) =>
      client.listAudit({ query: { ...queryOf(filter), page_size: PAGE_SIZE, page_offset } }, { signal }),
  )
  if (data === undefined) return <ReadState error={error} />
  if (data.hits.length === 0) {
    return (
      <p className={classes['empty']}>
        No entry matches. <Link to="/access/audit">Show everything</Link>
      </p>
    )
  }
  return (
    <>
      <ul className={classes['log']} aria-label="Entries">
        {data.hits.map((entry) => {
          const who = entry.user_id === null ? 'The platform' : (users.get(entry.user_id) ?? 'A former user')
          return (
            <li key={entry.audit_id}>
              <details className={classes['entry']}>
                <summary>
                  <time dateTime={entry.at}>{utcMoment(Date.parse(entry.at), nowMs)}</time>{' '}
                  <strong>{who}</strong> <span>{actionText(entry.action)}</span>{' '}
                  <span>{subjectText(entry, channels)}</span>
                </summary>
                <Changes entry={entry} />
              </details>
            </li>
          )
        })}
      </ul>
      <Pager label="Pages of the audit" {...pager} />
    </>
  )
}

/** An output is named with its channel. */
function subjectText(entry: AuditEntry, channels: readonly Channel[]): string | undefined {
  const name = subjectName(entry)
  const channel = channels.find(({ linear_channel_id }) => linear_channel_id === entry.subject_id)?.title
  if (channel === undefined || name === channel) return name
  return name === undefined ? channel : `${name} of ${channel}`
}

function Changes({ entry }: { entry: AuditEntry }) {
  const changes = changesOf(entry)
  if (changes.length === 0) return <p className={classes['changes']}>No field of the record changed.</p>
  return (
    <dl className={classes['changes']}>
      {changes.map(({ field, before, after }) => (
        <div key={field}>
          <dt>{field}</dt>
          <dd>
            {entry.before !== null && entry.after !== null
              ? `${before} → ${after}`
              : entry.after === null
                ? before
                : after}
          </dd>
        </div>
      ))}
    </dl>
  )
}
