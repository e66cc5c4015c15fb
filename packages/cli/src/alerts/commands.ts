import { type Command, command } from '../terminal/command.ts'
import { oneOf } from '../terminal/one-of.ts'
import { openSession, sessionOptions } from '../terminal/open-session.ts'
import { table } from '../terminal/table.ts'
import { recipientCommands } from './recipient-commands.ts'
import { readSeverity } from './recipient-options.ts'

const readState = oneOf('OPEN', 'CLOSED', 'ALL')

const listAlerts = command({
  name: 'alerts list',
  about: 'List the last 50 alerts; by default those that are open',
  options: {
    ...sessionOptions,
    state: { value: 'STATE', about: 'OPEN, CLOSED or ALL', read: readState },
    severity: {
      value: 'SEVERITY',
      about: 'only alerts of this severity, such as CRITICAL',
      read: readSeverity,
    },
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

/** Alerts, and who gets mails about them. */
export const alertCommands: readonly Command[] = [listAlerts, ...recipientCommands]
