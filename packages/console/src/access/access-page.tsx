import { groups, type OperationId, operationList } from '@continuity/contract'
import { Button } from '@mantine/core'
import { Fragment, type ReactNode } from 'react'
import { rolesFor, useMayCall } from '../session/may-call.ts'
import { roleText } from '../session/role-words.ts'
import { useSession, useSessionStore } from '../session/session-context.tsx'
import { Link, useAddress } from '../shared/router.tsx'
import { SubNav } from '../shared/sub-nav.tsx'
import tables from '../shared/table.module.css'
import type { UserRole } from '../shared/wire-types.ts'
import classes from './access.module.css'
import { AppKeysPage } from './app-keys-page.tsx'
import { AuditPage } from './audit-page.tsx'
import { OutputsPage } from './outputs-page.tsx'
import { roleTexts } from './role-texts.ts'
import { UsersPage } from './users-page.tsx'
import { WebhookPage } from './webhook-page.tsx'
import { WebhooksPage } from './webhooks-page.tsx'

/** Who may do what, and who gets what. */
export function AccessPage() {
  const { path } = useAddress()
  const mayCall = useMayCall()
  const [, , name = '', id = ''] = path.split('/')
  // An operator who may not see users begins with what every role sees.
  const usual = mayCall('listUsers') ? 'users' : 'roles'
  const page = pages.find((one) => one.name === (name === '' ? usual : name))
  if (page === undefined) {
    return (
      <>
        <h1>There is no such page</h1>
        <Link to="/access">Access</Link>
      </>
    )
  }
  const isAllowed = page.needs === undefined || mayCall(page.needs)
  return (
    <>
      <h1>Access</h1>
      <SubNav
        label="Access"
        pages={pages.map((one) => ({
          to: `/access/${one.name}`,
          title: one.title,
          isCurrent: one.name === page.name,
        }))}
      />
      {isAllowed ? (
        contentOf(page.name, decodeURIComponent(id))
      ) : (
        <p className={classes['hint']}>
          {page.title} need {rolesFor(page.needs)}. An administrator of this account can grant it.
        </p>
      )}
    </>
  )
}

function contentOf(name: (typeof pages)[number]['name'], id: string): ReactNode {
  switch (name) {
    case 'users':
      return <UsersPage />
    case 'roles':
      return <RolesPage />
    case 'app-keys':
      return <AppKeysPage />
    case 'outputs':
      return <OutputsPage />
    case 'webhooks':
      return id === '' ? <WebhooksPage /> : <WebhookPage key={id} webhookId={id} />
    case 'audit':
      return <AuditPage />
    default:
      return <SessionPage />
  }
}

/** The pages of the screen, each with the operation that it cannot do without. */
const pages = [
  { name: 'users', title: 'Users', needs: 'listUsers' },
  { name: 'roles', title: 'Roles', needs: undefined },
  { name: 'app-keys', title: 'App keys', needs: 'listAppKeys' },
  { name: 'outputs', title: 'Outputs', needs: 'listOutputs' },
  { name: 'webhooks', title: 'Webhooks', needs: 'listWebhooks' },
  { name: 'audit', title: 'Audit', needs: 'listAudit' },
  { name: 'session', title: 'Session', needs: undefined },
] as const satisfies readonly {
  readonly name: string
  readonly title: string
  readonly needs: OperationId | undefined
}[]

/** The session of this browser. The service has no list of sessions. */
function SessionPage() {
  const store = useSessionStore()
  const session = useSession()
  if (session.kind !== 'open') return null
  return (
    <>
      <dl className={classes['facts']}>
        <dt>Account</dt>
        <dd>{session.accountName}</dd>
        <dt>User</dt>
        <dd>{session.email}</dd>
        <dt>Roles</dt>
        <dd>{session.roles.map(roleText).join(', ')}</dd>
      </dl>
      <Button variant="default" onClick={() => void store.logOut()}>
        End this session
      </Button>
      <p className={classes['empty']}>
        It ends in all tabs of this browser. To end the sessions of a user everywhere, an administrator gives
        the user a new password, or disables the user.
      </p>
    </>
  )
}

const roles = Object.keys(roleTexts) as UserRole[]

/** What each role may do, from the table by which the service decides. */
function RolesPage() {
  const session = useSession()
  const own = session.kind === 'open' ? session.roles : []
  return (
    <>
      <dl className={classes['facts']}>
        {roles.map((role) => (
          <Fragment key={role}>
            <dt>
              {roleText(role)}
              {own.includes(role) && ' (yours)'}
            </dt>
            <dd>{roleTexts[role]}</dd>
          </Fragment>
        ))}
      </dl>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard. */}
      <section className={tables['scroll']} tabIndex={0} aria-label="Table of roles">
        <table className={tables['table']}>
          <thead>
            <tr>
              <th scope="col">May</th>
              {roles.map((role) => (
                <th key={role} scope="col" className={classes['mark']}>
                  {roleText(role)}
                </th>
              ))}
            </tr>
          </thead>
          {Object.keys(groups).map((group) => (
            <tbody key={group}>
              <tr className={classes['group']}>
                <th scope="rowgroup" colSpan={roles.length + 1}>
                  {group}
                </th>
              </tr>
              {operationList
                .filter((operation) => operation.group === group && operation.access !== 'public')
                .map(({ id, summary, access }) => (
                  <tr key={id}>
                    <td data-kind="text">{summary}</td>
                    {roles.map((role) => {
                      const isAllowed = typeof access === 'string' || access.includes(role)
                      return (
                        <td key={role} className={classes['mark']}>
                          {isAllowed ? 'Yes' : <span className={classes['quiet']}>–</span>}
                        </td>
                      )
                    })}
                  </tr>
                ))}
            </tbody>
          ))}
        </table>
      </section>
    </>
  )
}
