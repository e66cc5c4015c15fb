import { type Command, command } from '../command.ts'
import { oneOf } from '../one-of.ts'
import { openSession, sessionOptions } from '../open-session.ts'
import { table } from '../table.ts'
import { recipientCommands } from './recipient-commands.ts'
import { readSeverity } from './recipient-options.ts'

const readState = oneOf('OPEN', 'CLOSED', 'ALL')

const listAlerts = command({
  name: 'alerts list',
  about: 'List the last 50 alerts, those that are open where nothing else is said',
  options: {
    ...sessionOptions,
    state: { value: 'STATE', about: 'OPEN, CLOSED or ALL', read: readState },
    severity: { value: 'SEVERITY', about: 'only those of it, such as CRITICAL', read: readSeverity },
  },
  run: async ({ options, world }) => {
    const { client, account } = await openSession(options, world, 'alerts list')
    const { state = 'OPEN', severity } = options
    const query = { page_size: 50, state, ...(severity === undefined ? {} : { severity }) }
    const { hits } = await client.listAlerts({ query })
    if (hits.length === 0) return { text: `${account} has no such alerts.`, json: [] }
    const rows = hits.map((it) => [
      it.severity,
      it.opened_at,
      it.closed_at ?? '',
      it.code,
      `${it.subject_type} ${it.subject_id}`,
      it.message,
    ])
    return { text: table(['severity', 'opened', 'closed', 'code', 'about', 'message'], rows), json: hits }
  },
})

/** What a person should look at, and who is told of it. */
export const alertCommands: readonly Command[] = [listAlerts, ...recipientCommands]
