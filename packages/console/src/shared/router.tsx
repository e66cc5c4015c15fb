import { type AnchorHTMLAttributes, type MouseEvent, useSyncExternalStore } from 'react'

const BASE = '/console'
const MOVED = 'console:moved'

function subscribe(listener: () => void): () => void {
  addEventListener('popstate', listener)
  addEventListener(MOVED, listener)
  return () => {
    removeEventListener('popstate', listener)
    removeEventListener(MOVED, listener)
  }
}

/** The address below `/console`, with its query. */
export function useAddress(): { readonly path: string; readonly query: URLSearchParams } {
  const address = useSyncExternalStore(subscribe, () => location.pathname + location.search)
  const url = new URL(address, location.origin)
  return { path: url.pathname.slice(BASE.length) || '/', query: url.searchParams }
}

export function navigate(path: string, { replace = false } = {}): void {
  history[replace ? 'replaceState' : 'pushState'](null, '', BASE + path)
  dispatchEvent(new Event(MOVED))
}

type LinkProps = AnchorHTMLAttributes<HTMLAnchorElement> & { readonly to: string }

/** A real link: it can be opened in another tab or window. */
export function Link({ to, onClick, children, ...rest }: LinkProps) {
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event)
    const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
    if (!isPlain || event.defaultPrevented) return
    event.preventDefault()
    navigate(to)
  }
  return (
    <a {...rest} href={BASE + to} onClick={follow}>
      {children}
    </a>
  )
}
