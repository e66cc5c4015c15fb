import { type Client, createClient } from '@continuity/client'
import { startStack } from '@continuity/dev/stack'
import { temporaryFolder } from '@continuity/dev/temporary-folder'
import { ensureConsole } from '../../tools/console/build.ts'
import type { Station } from './station.ts'

/** A system with channels of which none is on air, for screens that show no picture. */
export interface Office extends Pick<Station, 'baseUrl' | 'login' | 'client' | 'databaseOwnerUrl'> {
  /** Ids by title. */
  readonly channelIds: Readonly<Record<string, string>>
}

export interface OfficeOptions {
  readonly titles: readonly string[]
  readonly allowedHosts?: readonly string[]
  /** For screens that play what was packaged. */
  readonly withPlayout?: boolean
}

/** Small and fast: tests do not depend on the picture. */
const quickMedia = { LADDER: '160x90@100+64', ENCODER_PRESET: 'ultrafast' }

export async function startOffice(
  opened: AsyncDisposableStack,
  { titles, allowedHosts = [], withPlayout = false }: OfficeOptions,
): Promise<Office> {
  await ensureConsole()
  const home = await temporaryFolder(opened)
  const stack = await startStack({
    home,
    port: 0,
    settings: {
      ...quickMedia,
      ...(withPlayout ? {} : { PLAYOUT_BASE_URL: 'https://play.north.example/' }),
      OUTBOUND_ALLOW: allowedHosts.join(','),
    },
    withoutPlayout: !withPlayout,
    withConsoleLogin: true,
    searchPath: process.env['PATH'] ?? '',
    log: () => {},
  })
  opened.defer(() => stack.stop())
  const client = createClient({ baseUrl: stack.baseUrl })
  const { account_name, email, password } = stack.demoAccount
  await client.login({ body: { account_name, email, password } })
  return {
    baseUrl: stack.baseUrl,
    login: stack.demoAccount,
    client,
    databaseOwnerUrl: stack.databaseOwnerUrl,
    channelIds: await createChannels(client, titles),
  }
}

async function createChannels(client: Client, titles: readonly string[]): Promise<Record<string, string>> {
  const ids: Record<string, string> = {}
  for (const title of titles) {
    ids[title] = (await client.createLinearChannel({ body: { title } })).linear_channel_id
  }
  return ids
}
