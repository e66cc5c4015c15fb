import { Button } from '@mantine/core'
import { useState } from 'react'
import { roleText } from '../session/role-words.ts'
import { useClient, useSession } from '../session/session-context.tsx'
import { PAGE_SIZE, useMarkPages } from '../shared/mark-pages.ts'
import { ReadState } from '../shared/page-state.tsx'
import { Pager } from '../shared/pager.tsx'
import { keys } from '../shared/query-keys.ts'
import { useServerNow } from '../shared/server-time.ts'
import { StatusBadge } from '../shared/status-badge.tsx'
import tables from '../shared/table.module.css'
import { utcMoment } from '../shared/times.ts'
import type { User } from '../shared/wire-types.ts'
import classes from './access.module.css'
import { ChangeUser, CreateUser, DeleteUser } from './user-dialogs.tsx'

type OpenDialog = { readonly kind: 'create' } | { readonly kind: 'change' | 'delete'; readonly user: User }

export function UsersPage() {
  const client = useClient()
  const session = useSession()
  const nowMs = useServerNow()
  const [dialog, setDialog] = useState<OpenDialog>()
  const { data, error, pager } = useMarkPages<User>(keys.userPages, (page_offset, signal) =>
    client.listUsers({ query: { page_size: PAGE_SIZE, page_offset } }, { signal }),
  )
  const close = () => setDialog(undefined)
  const ownEmail = session.kind === 'open' ? session.email.toLowerCase() : ''
  const isOwn = (user: User) => user.email.toLowerCase() === ownEmail
  if (data === undefined) return <ReadState error={error} />
  return (
    <>
      <div className={classes['head']}>
        <p>People who log in to this account, and what they may do.</p>
        <Button onClick={() => setDialog({ kind: 'create' })}>Add a user</Button>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard. */}
      <section className={tables['scroll']} tabIndex={0} aria-label="Table of users">
        <table className={tables['table']}>
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col">Email</th>
              <th scope="col">Roles</th>
              <th scope="col">Status</th>
              <th scope="col">Last login</th>
              <th scope="col">Actions</th>
            </tr>
          </thead>
          <tbody>
            {data.hits.map((user) => (
              <tr key={user.user_id}>
                <th scope="row" data-kind="text">
                  {user.name === '' ? '–' : user.name}{' '}
                  {isOwn(user) && <span className={classes['you']}>(you)</span>}
                </th>
                <td data-kind="text">{user.email}</td>
                <td data-kind="text">{user.roles.map(roleText).join(', ')}</td>
                <td>
                  {user.status === 'ACTIVE' ? (
                    <StatusBadge text="Active" tone="good" />
                  ) : (
                    <StatusBadge text="Disabled" tone="quiet" />
                  )}
                </td>
                <td className={classes['nowrap']}>
                  {user.last_login === null ? 'Never' : utcMoment(Date.parse(user.last_login), nowMs)}
                </td>
                <td>
                  <div className={classes['commands']}>
                    <Button
                      size="compact-xs"
                      variant="default"
                      aria-label={`Change ${user.email}`}
                      onClick={() => setDialog({ kind: 'change', user })}
                    >
                      Change
                    </Button>
                    <Button
                      size="compact-xs"
                      variant="default"
                      aria-label={`Delete ${user.email}`}
                      onClick={() => setDialog({ kind: 'delete', user })}
                    >
                      Delete
                    </Button>
                  </div>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <Pager label="Pages of users" {...pager} />
      {dialog?.kind === 'create' && <CreateUser onClose={close} />}
      {dialog?.kind === 'change' && (
        <ChangeUser user={dialog.user} isOwn={isOwn(dialog.user)} onClose={close} />
      )}
      {dialog?.kind === 'delete' && (
        <DeleteUser user={dialog.user} isOwn={isOwn(dialog.user)} onClose={close} />
      )}
    </>
  )
}
