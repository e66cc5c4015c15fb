import type { ReactNode } from 'react'
import { rolesFor, useMayCall } from '../session/may-call.ts'
import { Link, useAddress } from '../shared/router.tsx'
import { SubNav } from '../shared/sub-nav.tsx'
import classes from './access.module.css'
import { AppKeysPage } from './app-keys-page.tsx'
import { AuditPage } from './audit-page.tsx'
import { OutputsPage } from './outputs-page.tsx'
import { pages } from './pages.ts'
import { RolesPage } from './roles-page.tsx'
import { SessionPage } from './session-page.tsx'
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
