import { ActionIcon, Button, useComputedColorScheme, useMantineColorScheme } from '@mantine/core'
import type { ReactNode } from 'react'
import { useSession, useSessionStore } from '../session/session-context.tsx'
import { Link, useAddress } from '../shared/router.tsx'
import { Clock } from './clock.tsx'
import { ConnectionBanner } from './connection-banner.tsx'
import classes from './layout.module.css'
import { useLiveUpdates } from './live-updates.ts'

const pages = [
  { to: '/on-air', title: 'On air' },
  { to: '/schedule', title: 'Schedule' },
  { to: '/catalog', title: 'Catalog' },
  { to: '/ingest', title: 'Ingest' },
  { to: '/live-sources', title: 'Live sources' },
  { to: '/reports', title: 'Reports' },
  { to: '/access', title: 'Access' },
] as const

export function Layout({ children }: { children: ReactNode }) {
  const connection = useLiveUpdates()
  const { path } = useAddress()
  return (
    <>
      <a className={classes['skip']} href="#content">
        Skip to the content
      </a>
      <div className={classes['top']}>
        <header className={classes['header']}>
          <span className={classes['brand']}>Continuity</span>
          <nav className={classes['nav']} aria-label="Pages">
            {pages.map(({ to, title }) => (
              <Link
                key={to}
                to={to}
                className={classes['page']}
                aria-current={path.startsWith(to) ? 'page' : undefined}
              >
                {title}
              </Link>
            ))}
          </nav>
          <Clock />
          <User />
        </header>
        <ConnectionBanner connection={connection} />
      </div>
      <main id="content" className={classes['main']} tabIndex={-1}>
        {children}
      </main>
    </>
  )
}

function User() {
  const store = useSessionStore()
  const session = useSession()
  const { setColorScheme } = useMantineColorScheme()
  const scheme = useComputedColorScheme('dark')
  const other = scheme === 'dark' ? 'light' : 'dark'
  return (
    <div className={classes['user']}>
      <span className={classes['who']}>
        <span>{session.kind === 'open' && session.accountName}</span>
        <span className={classes['email']}>{session.kind === 'open' && session.email}</span>
      </span>
      <ActionIcon
        variant="default"
        size="lg"
        aria-label={`Use ${other} colours`}
        title={`Use ${other} colours`}
        onClick={() => setColorScheme(other)}
      >
        <span aria-hidden="true">{scheme === 'dark' ? '☀' : '☾'}</span>
      </ActionIcon>
      <Button variant="default" size="xs" onClick={() => void store.logOut()}>
        Log out
      </Button>
    </div>
  )
}
