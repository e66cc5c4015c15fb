import { Alert, Button } from '@mantine/core'
import { Component, type ComponentType, lazy, type ReactNode, Suspense } from 'react'
import classes from './page-state.module.css'
import { PageState } from './page-state.tsx'

/** A screen whose script is loaded when it is opened first. */
export function lazyPage<P extends object>(
  title: string,
  load: () => Promise<ComponentType<P>>,
): ComponentType<P> {
  const Loaded = lazy(async () => ({ default: await load() }))
  return (props: P) => (
    <LoadBoundary title={title}>
      <Suspense fallback={<PageState title={title} error={null} />}>
        <Loaded {...props} />
      </Suspense>
    </LoadBoundary>
  )
}

interface BoundaryProps {
  readonly title: string
  readonly children: ReactNode
}

/** A script that cannot be loaded would leave an empty page. After an upgrade its file has another name. */
class LoadBoundary extends Component<BoundaryProps, { readonly hasFailed: boolean }> {
  override state = { hasFailed: false }

  static getDerivedStateFromError() {
    return { hasFailed: true }
  }

  override render() {
    if (!this.state.hasFailed) return this.props.children
    return (
      <>
        <h1>{this.props.title}</h1>
        <Alert color="red" role="alert" title="This page could not be loaded" className={classes['fault']}>
          Its script is unavailable, or failed. The console may have been upgraded since you opened it.
        </Alert>
        <Button className={classes['fault']} onClick={() => location.reload()}>
          Load the console again
        </Button>
      </>
    )
  }
}
