import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach } from 'node:test'
import { applyUpdate, type ChannelState } from '@continuity/core/feed/channel-state'
import type { FeedMessage } from '@continuity/core/feed/feed-message'
import { sql } from 'kysely'
import type { Handlers } from '../../../http/bind.ts'
import { type ApiUser, anApi, somePageCursors, type TestApi } from '../../../http/testing/an-api.ts'
import { aCapturedLog } from '../../../http/testing/captured-log.ts'
import { newId } from '../../../platform/crypto/ids.ts'
import type { Db } from '../../../platform/database/database.ts'
import { endDue, findDue, lockDue } from '../../../platform/due/due-rows.ts'
import type { DueHandler } from '../../../platform/due/sweeper.ts'
import type { FeedPublisher } from '../../../platform/feed/feed-publisher.ts'
import type { FeedChannelId } from '../../../platform/feed/feed-subjects.ts'
import type { PackedGuide } from '../../../platform/feed/guide-codec.ts'
import type { GuidePublisher } from '../../../platform/feed/guide-publisher.ts'
import { aDatabase, type Scope, type TestDatabase } from '../../../platform/testing/a-database.ts'
import { addAccounts } from '../../../platform/testing/an-account.ts'
import { setDefaultSlate } from '../../accounts/index.ts'
import { applyCuePoints } from '../../assets/index.ts'
import { createVideo, namedMedia } from '../../catalog/index.ts'
import { catalogRoutes } from '../../catalog/routes.ts'
import { isReferenced } from '../../channels/index.ts'
import { channelRoutes } from '../../channels/routes.ts'
import { loadLiveView } from '../../live/read.ts'
import type { NewProgram } from '../index.ts'
import { isVideoCommitted, noteVideoDeleted, placeProgram, publishChange } from '../index.ts'
import { type GuideDeps, type ScheduleDeps, scheduleDue } from '../jobs.ts'
import { replanLate } from '../replan-late.ts'
import { type ScheduleRouteDeps, scheduleRoutes } from '../routes.ts'

/** An account with ready slates and a channel. */
export interface ScheduleAccount {
  readonly accountId: string
  readonly channelId: string
  readonly admin: ApiUser
  readonly db: Db
}

export interface ScheduleApi extends TestDatabase {
  readonly api: TestApi
  readonly feed: TestFeed
  anAccount(hasSlates?: boolean): Promise<ScheduleAccount>
  addSlates(account: ScheduleAccount): Promise<void>
  /** Runs everything that is due now, and what that makes due. */
  sweep(): Promise<void>
  /** A video with its asset; ready by default. */
  aVideo(account: ScheduleAccount, seconds: number, isReady?: boolean): Promise<TestVideo>
  makeReady(account: ScheduleAccount, video: TestVideo, seconds: number): Promise<void>
  place(
    account: ScheduleAccount,
    program: Partial<NewProgram> & Pick<NewProgram, 'startMs' | 'endMs' | 'items'>,
  ): Promise<string>
}

export interface TestVideo {
  readonly videoId: string
  readonly assetId: string
}

/** What was published to nodes, and a switch to make publishing fail. */
export interface TestFeed
  extends Pick<FeedPublisher, 'publishUpdate' | 'readPublished'>,
    Pick<GuidePublisher, 'publishGuide'> {
  isUp: boolean
  /** What the API takes it for, where that differs. */
  isUpKnown?: boolean | undefined
  readonly updates: FeedMessage[]
  stateOf(channelId: string): ChannelState | undefined
  /** Guides in the order of publishing. */
  readonly guides: (PackedGuide & FeedChannelId)[]
}

/** A database that is open already, and what ends with it. */
export type OpenedDatabase = TestDatabase & Scope

/** Schedules over HTTP in a database of their own, for the file of tests that awaits it. Packages are rows without files. */
export async function aScheduleApi(
  more: (deps: ScheduleRouteDeps) => Handlers = () => ({}),
  given?: OpenedDatabase,
): Promise<ScheduleApi> {
  const opened = given ?? (await aDatabase())
  const { database, ownerUrl } = opened
  const clock = () => api.nowMs
  const states = new Map<string, ChannelState>()
  const feed: TestFeed = {
    isUp: true,
    updates: [],
    guides: [],
    publishGuide: async ({ accountId, channelId }, guide) => {
      if (!feed.isUp) throw new Error('NATS is gone')
      feed.guides.push({ accountId, channelId, ...guide })
    },
    stateOf: (id) => states.get(id),
    readPublished: async ({ channelId }) => states.get(channelId),
    publishUpdate: async ({ channelId }, update) => {
      if (!feed.isUp) throw new Error('NATS is gone')
      feed.updates.push(update)
      const result = applyUpdate(states.get(channelId), update)
      if (result.kind === 'gap') throw new Error(`a gap before update ${update.version}`)
      if (result.kind === 'applied') states.set(channelId, result.state)
      return undefined
    },
  }
  const deps: ScheduleDeps & GuideDeps = {
    database,
    clock,
    loadLiveView,
    logger: aCapturedLog().logger,
    publisher: feed,
    guides: feed,
    // No worker has noticed yet that it is gone.
    isFeedUp: () => true,
    replanLate: (db, id) => replanLate(db, { ...deps, publisher: feed }, id),
  }
  const routeDeps = {
    ...deps,
    replanLate: undefined,
    publisher: { publishUpdate: feed.publishUpdate, isUp: () => feed.isUpKnown ?? feed.isUp },
  }
  const routes = {
    ...catalogRoutes({
      database,
      pageCursors: somePageCursors(),
      isReferenced: async (tx, { accountId, nowMs }, what) =>
        (await isReferenced(tx, accountId, what)) ||
        ('videoId' in what && (await isVideoCommitted(tx, accountId, what.videoId, nowMs))),
      noteVideoDeleted,
      applyCuePoints,
      mediaBase: 'https://media.example/',
    }),
    ...channelRoutes({ database, namedMedia, publishChange }),
    ...scheduleRoutes(routeDeps),
    ...more(routeDeps),
  }
  const api = await anApi(routes, given)
  const handlers: Readonly<Record<string, DueHandler>> = scheduleDue(deps)
  const actorOf = ({ accountId }: ScheduleAccount) => ({
    accountId,
    userId: null,
    requestId: null,
    nowMs: api.nowMs,
  })

  // Otherwise the channels of every test before would be planned on, hour by hour, in each test that lets time pass.
  const accountsOfTest: string[] = []
  beforeEach(() => void accountsOfTest.splice(0))
  afterEach(async () => {
    await sql`delete from due_rows where account_id = any(${accountsOfTest})`.execute(database.platform)
  })

  const sweepOnce = async (): Promise<number> => {
    const rows = await findDue(database.platform, Object.keys(handlers), api.nowMs, 1_000)
    for (const row of rows) {
      const after = await database
        .forAccount(row.accountId!)
        .transaction()
        .execute(async (tx) => {
          const writing = await lockDue(tx, row)
          if (writing === undefined) return undefined
          const result = await handlers[row.kind]!(tx, row, api.nowMs)
          await endDue(tx, row, writing)
          return result
        })
      if (typeof after === 'function') await after()
    }
    return rows.length
  }
  const aVideo: ScheduleApi['aVideo'] = async (account, seconds, isReady = true) => {
    const { videoId } = await account.db
      .transaction()
      .execute((tx) =>
        createVideo(tx, actorOf(account), { title: `Video of ${seconds} s`, duration: seconds }, null),
      )
    const assetId = newId(api.nowMs)
    await insertAsset(account, { videoId, assetId }, 'https://partner.example/a.mp4')
    if (isReady) await makeReady(account, { videoId, assetId }, seconds)
    return { videoId, assetId }
  }
  const insertAsset = async ({ db, accountId }: ScheduleAccount, video: TestVideo, madeFrom: string) => {
    await sql`
      insert into assets (account_id, asset_id, video_id, made_from, state, frame_rate, segment_ms, created_ms, updated_ms)
      values (${accountId}, ${video.assetId}, ${video.videoId}, ${madeFrom}, 'QUEUED', 30, 3200, 0, 0)`.execute(
      db,
    )
  }
  const makeReady: ScheduleApi['makeReady'] = async ({ db, accountId }, { assetId }, seconds) => {
    await sql`
      update assets set state = 'READY', package_path = ${`assets/${accountId}/${assetId}/p`},
             duration_ticks = ${seconds * 90_000}, has_slots = made_from like 'slate:%',
             segment_count = greatest(1, floor(${seconds * 1_000}::numeric / case when made_from like 'slate:%' then 1600 else 3200 end))
       where account_id = ${accountId} and asset_id = ${assetId}`.execute(db)
  }
  const addSlates = async (account: ScheduleAccount) => {
    for (const [kind, seconds] of [
      ['rescue', 32],
      ['time_fill', 16],
      ['ad', 32],
    ] as const) {
      const { videoId } = await aVideo(account, 1, false)
      const assetId = newId(api.nowMs)
      await insertAsset(account, { videoId, assetId }, `slate:${kind}`)
      await makeReady(account, { videoId, assetId }, seconds)
      await account.db.transaction().execute((tx) => setDefaultSlate(tx, account.accountId, kind, videoId))
    }
  }
  return {
    ...opened,
    api,
    feed,
    aVideo,
    makeReady,
    addSlates,
    async anAccount(hasSlates = true) {
      const accountId = randomUUID()
      accountsOfTest.push(accountId)
      await addAccounts(ownerUrl, { [accountId]: accountId })
      const admin = api.userOf(accountId)
      const made = await admin.post<{ linear_channel_id: string }>('/api/2.3/linear_channels', {
        title: 'One',
      })
      const account = {
        accountId,
        channelId: made.json().linear_channel_id,
        admin,
        db: database.forAccount(accountId),
      }
      if (hasSlates) await addSlates(account)
      return account
    },
    async sweep() {
      for (let rounds = 0; rounds < 20 && (await sweepOnce()) > 0; rounds += 1);
    },
    async place(account, program) {
      const programId = newId(api.nowMs)
      const { accountId, channelId } = account
      const newProgram = {
        accountId,
        channelId,
        programId,
        sourceId: 'north',
        title: 'Harbour Nights',
        description: '',
        details: {},
        origin: 'REQUEST' as const,
        originId: null,
        ...program,
      }
      const result = await account.db
        .transaction()
        .execute((tx) => placeProgram(tx, actorOf(account), newProgram))
      if (result !== 'placed') throw new Error(result)
      return programId
    },
  }
}

export const videoItem = ({ videoId, assetId }: TestVideo, seconds: number, title = 'A video') =>
  ({ type: 'VIDEO', declaredMs: seconds * 1_000, title, videoId, assetId }) as const

export const podItem = (seconds: number) =>
  ({ type: 'AD_POD', declaredMs: seconds * 1_000, title: '', videoId: null, assetId: null }) as const
