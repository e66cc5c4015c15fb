import { type Command, command } from '../terminal/command.ts'
import { givenOf } from '../terminal/given.ts'
import { firstOf, limitOption, pageSizeOf } from '../terminal/limit.ts'
import { openSession, sessionOptions } from '../terminal/open-session.ts'
import { table } from '../terminal/table.ts'

const listAudit = command({
  name: 'audit list',
  about: 'List who did what, newest first; --json has the values before and after',
  options: {
    ...sessionOptions,
    ...limitOption,
    from: { value: 'TIME', about: 'not before, such as 2026-03-01T18:00:00Z' },
    to: { value: 'TIME', about: 'before' },
    user: { value: 'USER_ID', about: 'only actions of this user' },
    subject: { value: 'ID', about: 'only actions on this record, such as a channel' },
  },
  run: async ({ options, world }) => {
    const { client, account } = await openSession(options, world, 'audit list')
    const { from, to, user, subject, limit } = options
    const query = {
      page_size: pageSizeOf(limit),
      ...givenOf({ from, to, user_id: user, subject_id: subject }),
    }
    const entries = await firstOf(client.listAudit.all({ query }), limit)
    if (entries.length === 0) return { text: `${account} has no such entries.`, json: [] }
    const rows = entries.map((it) => [
      it.at,
      it.user_id ?? 'platform',
      it.action,
      `${it.subject_type} ${it.subject_id}`,
    ])
    return { text: table(['at', 'user', 'action', 'on'], rows), json: entries }
  },
})

export const auditCommands: readonly Command[] = [listAudit]
