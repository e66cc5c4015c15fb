import type { Client } from '@continuity/client'
import type { World } from './command.ts'
import { readPassword } from './password.ts'
import { readEmail } from './read-text.ts'
import { UsageFault } from './usage-fault.ts'

/** Options of every command that uses the API. Each can be replaced by an environment variable. */
export const sessionOptions = {
  url: { value: 'URL', about: 'address of the service, or CONTINUITY_URL', read: readUrl },
  account: { value: 'NAME', about: 'account, or CONTINUITY_ACCOUNT' },
  email: { value: 'EMAIL', about: 'e-mail of the user, or CONTINUITY_EMAIL', read: readEmail },
  'password-stdin': { about: 'read the password from standard input instead of CONTINUITY_PASSWORD' },
} as const

export interface SessionChoice {
  readonly url: string | undefined
  readonly account: string | undefined
  readonly email: string | undefined
  readonly 'password-stdin': boolean
}

export interface OpenSession {
  readonly client: Client
  readonly url: string
  readonly account: string
}

/**
 * More tries than in an app: a command often runs unattended, and should survive a
 * restart of the service or some minutes of overload.
 */
const RETRY = { tries: 8, capMs: 10_000, retryAfterCapMs: 300_000 } as const

export async function openSession(
  choice: SessionChoice,
  world: Pick<World, 'env' | 'readInput'>,
  command: string,
): Promise<OpenSession> {
  const { env } = world
  const need = (option: 'url' | 'account' | 'email', setting: string): string => {
    const value = choice[option] ?? env[setting]
    if (value === undefined || value === '')
      throw new UsageFault(`--${option} or ${setting} is missing.`, command)
    return value
  }
  const readable = readUrl(need('url', 'CONTINUITY_URL'))
  if ('fault' in readable) throw new UsageFault(`CONTINUITY_URL ${readable.fault}`, command)
  const url = readable.value
  const account = need('account', 'CONTINUITY_ACCOUNT')
  const email = need('email', 'CONTINUITY_EMAIL')
  const given = env['CONTINUITY_PASSWORD'] ?? ''
  if (!choice['password-stdin'] && given === '') {
    throw new UsageFault('--password-stdin or CONTINUITY_PASSWORD is missing.', command)
  }
  const password = choice['password-stdin'] ? await readPassword(world) : given
  // Only here: loading it takes longer than printing the help.
  const { createClient } = await import('@continuity/client')
  const client = createClient({ baseUrl: url, retry: RETRY })
  await client.login({ body: { account_name: account, email, password } })
  return { client, url, account }
}

function readUrl(text: string): { readonly value: string } | { readonly fault: string } {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isPlain =
    url !== undefined && url.username === '' && url.password === '' && url.search === '' && url.hash === ''
  if (url === undefined || !isPlain || !/^https?:$/.test(url.protocol)) {
    return { fault: 'must be an http or https address without user, query or fragment.' }
  }
  return { value: url.href.replace(/\/+$/, '') }
}
