import { type ClockControl, startClockControl } from '@continuity/dev/clock-control'
import { findStackFile } from '@continuity/dev/stack-file'
import { openOwner } from '@continuity/server/owner'
import { startAnotherApi } from '../another-api.ts'
import { startTestSystem, type TestSystem } from '../test-system.ts'

export interface SessionSystem {
  readonly system: TestSystem
  /** The addresses of two processes. */
  readonly apis: readonly [string, string]
  /** The clock of all processes. It runs at the real rate until it is steered. */
  readonly clock: ClockControl
  readonly natsPid: number
  /** For processes that are to be like these two. */
  readonly settings: Readonly<Record<string, string>>
}

/** A system with two API processes and a steered clock. Requests may set their address. Stopped when `opened` is disposed. */
export async function startSessionSystem(opened: AsyncDisposableStack): Promise<SessionSystem> {
  const clock = await startClockControl(Date.now())
  opened.defer(() => clock.close())
  await clock.steer({ kind: 'rate', rate: 1 })
  const settings = {
    CLOCK_CONTROL: clock.address,
    TRUSTED_PROXIES: '127.0.0.1',
    // The most verbose level, for the search for secrets.
    LOG_LEVEL: 'debug',
  }
  const system = opened.use(await startTestSystem(settings))
  const second = opened.use(await startAnotherApi(system, { name: 'second', settings }))
  const stack = await findStackFile(system.home)
  const nats = stack?.processes.find(({ name }) => name === 'NATS')
  if (nats === undefined) throw new Error('The stack file does not list the NATS process.')
  return { system, apis: [system.baseUrl, second.baseUrl], clock, natsPid: nats.pid, settings }
}

/** Does something as the owner of the platform. */
export async function asOwner<T>(
  { system }: Pick<SessionSystem, 'system'>,
  work: (owner: ReturnType<typeof openOwner>) => Promise<T>,
): Promise<T> {
  const owner = openOwner(system.databaseOwnerUrl, Date.now())
  try {
    return await work(owner)
  } finally {
    await owner.close()
  }
}
