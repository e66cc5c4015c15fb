import { Loader, MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { useEffect } from 'react'
import { SourceList } from '../live-sources/source-list.tsx'
import { ChannelPage } from '../on-air/channel-page.tsx'
import { Wall } from '../on-air/wall.tsx'
import { LoginPage } from '../session/login-page.tsx'
import { SessionProvider, useSession } from '../session/session-context.tsx'
import type { SessionStore } from '../session/session-store.ts'
import { lazyPage } from '../shared/lazy-page.tsx'
import { READ_AGAIN_MS } from '../shared/page-state.tsx'
import { Link, navigate, useAddress } from '../shared/router.tsx'
import { measureServerTime } from '../shared/server-time.ts'
import classes from './app.module.css'
import { Layout } from './layout.tsx'

/** Loaded when they are opened: the control room does not wait for them. */
const SchedulePage = lazyPage(
  'Schedule',
  async () => (await import('../schedule/schedule-page.tsx')).SchedulePage,
)
const RulesPage = lazyPage('Schedule', async () => (await import('../rules/rules-page.tsx')).RulesPage)
const CatalogPage = lazyPage('Catalog', async () => (await import('../catalog/catalog-page.tsx')).CatalogPage)
const IngestPage = lazyPage('Ingest', async () => (await import('../ingest/ingest-page.tsx')).IngestPage)
const ReportsPage = lazyPage('Reports', async () => (await import('../reports/reports-page.tsx')).ReportsPage)
const AccessPage = lazyPage('Access', async () => (await import('../access/access-page.tsx')).AccessPage)

/** The event stream reports what has changed, so nothing is read again by age. */
const queryClient = new QueryClient({
  defaultOptions: {
    // The client repeats what may be repeated.
    queries: {
      staleTime: Number.POSITIVE_INFINITY,
      retry: false,
      refetchOnWindowFocus: false,
      refetchInterval: ({ state }) => (state.status === 'error' ? READ_AGAIN_MS : false),
    },
    mutations: { retry: false },
  },
})

export function App({ store }: { store: SessionStore }) {
  return (
    <MantineProvider defaultColorScheme="auto" withCssVariables={false} withGlobalClasses={false}>
      <QueryClientProvider client={queryClient}>
        <SessionProvider store={store}>
          <Pages />
        </SessionProvider>
      </QueryClientProvider>
    </MantineProvider>
  )
}

function Pages() {
  const session = useSession()
  useEffect(() => {
    if (session.kind === 'open') void measureServerTime()
    // What one user has read must not be shown to the next.
    if (session.kind === 'closed') queryClient.clear()
  }, [session.kind])
  if (session.kind === 'opening') {
    return (
      <main className={classes['opening']}>
        <Loader aria-label="Opening the session" />
      </main>
    )
  }
  if (session.kind === 'closed') return <LoginPage reason={session.reason} />
  return (
    <Layout>
      <Page />
    </Layout>
  )
}

function Page() {
  const { path } = useAddress()
  useEffect(() => {
    if (path === '/') navigate('/on-air', { replace: true })
  }, [path])
  const [, first = '', id = ''] = path.split('/')
  if (first === 'on-air') return id === '' ? <Wall /> : <ChannelPage channelId={decodeURIComponent(id)} />
  if (first === 'live-sources') return <SourceList />
  if (first === 'schedule')
    return id === '' ? <SchedulePage /> : <RulesPage channelId={decodeURIComponent(id)} />
  if (first === 'catalog') return <CatalogPage />
  if (first === 'ingest') return <IngestPage />
  if (first === 'access') return <AccessPage />
  if (first === 'reports') return <ReportsPage name={id} />
  if (path === '/') return null
  return (
    <>
      <h1>There is no such page</h1>
      <p>
        <Link to="/on-air">To the channels on air</Link>
      </p>
    </>
  )
}
