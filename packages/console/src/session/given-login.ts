import type { Credentials } from './session-store.ts'

const PREFIX = '#login='

/** The login in the address, which a demo gives to the people at its machine; it is removed from the address. */
export function takeGivenLogin(): Credentials | undefined {
  const { hash, pathname, search } = location
  if (!hash.startsWith(PREFIX)) return undefined
  history.replaceState(history.state, '', `${pathname}${search}`)
  try {
    const text = atob(hash.slice(PREFIX.length).replaceAll('-', '+').replaceAll('_', '/'))
    const given = JSON.parse(new TextDecoder().decode(Uint8Array.from(text, (it) => it.charCodeAt(0))))
    const { account_name, email, password } = given as Readonly<Record<string, unknown>>
    if (typeof account_name !== 'string' || typeof email !== 'string' || typeof password !== 'string')
      return undefined
    return { accountName: account_name, email, password }
  } catch {
    return undefined
  }
}
