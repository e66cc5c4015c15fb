import { useServerNow } from '../shared/server-time.ts'
import { utcMoment } from '../shared/times.ts'
import classes from './channel-page.module.css'
import { useHistory, useUserNames } from './channel-queries.ts'
import { historyText } from './history-words.ts'

/** Who did what to the channel last. */
export function History({ channelId }: { channelId: string }) {
  const entries = useHistory(channelId)
  const names = useUserNames()
  const nowMs = useServerNow()
  const lines = entries?.flatMap((entry) => {
    const what = historyText(entry)
    const who = entry.user_id === null ? 'The platform' : (names.get(entry.user_id) ?? 'A former user')
    return what === undefined ? [] : [{ id: entry.audit_id, at: entry.at, text: `${who} ${what}` }]
  })
  return (
    <section aria-label="Who did what last">
      <h2>Who did what last</h2>
      {lines === undefined && <p className={classes['hint']}>Administrators see who did what.</p>}
      {lines?.length === 0 && <p className={classes['hint']}>Nothing has been done to this channel yet.</p>}
      <ol className={classes['list']}>
        {lines?.map(({ id, at, text }) => (
          <li key={id}>
            <time dateTime={at}>{utcMoment(Date.parse(at), nowMs)}</time>
            <span>{text}</span>
          </li>
        ))}
      </ol>
    </section>
  )
}
