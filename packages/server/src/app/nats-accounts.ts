import { ENDED_CREDENTIALS_SUBJECT } from '../modules/auth/index.ts'
import { AUDIENCE_SUBJECT } from '../platform/bus/audience-bus.ts'
import { inboxPrefixOf } from '../platform/bus/bus.ts'
import { CLOCK_STREAM, CLOCK_SUBJECT } from '../platform/clock/broker-time.ts'
import {
  deliverySubjects,
  FEED_STREAM,
  GUIDE_MARKER_SUBJECT,
  GUIDE_STREAM,
  GUIDE_SUBJECTS,
  HEARTBEAT_SUBJECT,
  MARKER_SUBJECT,
  SNAPSHOT_REQUEST_SUBJECT,
  UPDATE_SUBJECTS,
} from '../platform/feed/feed-subjects.ts'
import {
  BREAK_SUBJECTS,
  CONFIG_SUBJECTS,
  HEALTH_SUBJECTS,
  LEASE_SUBJECTS,
  LIVE_LOG_STREAM,
  LIVE_STREAM,
  LOG_SUBJECTS,
  liveDeliverySubjects,
  REPORT_SUBJECTS,
} from '../platform/live-bus/live-streams.ts'

/** The NATS permissions of a process. `owner` may do anything, and is for people and tests. */
export type NatsRole = 'owner' | 'api' | 'worker' | 'playout' | 'receiver'

export interface NatsUser {
  readonly role: NatsRole
  /** Letters, digits, `_` and `-`: it is part of the user's reply subjects. */
  readonly name: string
  /** As printed: in quotes, or the name of an environment variable after a `$`. */
  readonly password: string
}

interface Rights {
  readonly publish: readonly string[]
  readonly subscribe: readonly string[]
  /** It answers requests, on their reply subjects. */
  readonly isAnswering?: true
}

const INFO = `$JS.API.STREAM.INFO.${FEED_STREAM}`
const CREATE_CONSUMER = `$JS.API.CONSUMER.CREATE.${FEED_STREAM}`
const FLOW_CONTROL = `$JS.FC.${FEED_STREAM}.>`

const CREATE_LIVE_CONSUMER = `$JS.API.CONSUMER.CREATE.${LIVE_STREAM}`
const LIVE_FLOW_CONTROL = `$JS.FC.${LIVE_STREAM}.>`

const CREATE_LOG_CONSUMER = `$JS.API.CONSUMER.CREATE.${LIVE_LOG_STREAM}`
const LOG_FLOW_CONTROL = `$JS.FC.${LIVE_LOG_STREAM}.>`

/** Receivers write leases, logs, reports and health, read them back, and read the clock of NATS. */
const receiving = [
  LEASE_SUBJECTS,
  LOG_SUBJECTS,
  BREAK_SUBJECTS,
  REPORT_SUBJECTS,
  HEALTH_SUBJECTS,
  CLOCK_SUBJECT,
  ...[LIVE_STREAM, LIVE_LOG_STREAM, CLOCK_STREAM].map((stream) => `$JS.API.STREAM.MSG.GET.${stream}`),
  `$JS.API.STREAM.INFO.${CLOCK_STREAM}`,
  CREATE_LIVE_CONSUMER,
  LIVE_FLOW_CONTROL,
]

/** Workers create the streams of live sources, publish which to receive, and read their reports and logs. */
const steering = [
  CONFIG_SUBJECTS,
  // Logs that the broker has lost are published again from the database.
  LOG_SUBJECTS,
  BREAK_SUBJECTS,
  ...[LIVE_STREAM, LIVE_LOG_STREAM].flatMap((stream) =>
    ['INFO', 'CREATE', 'UPDATE', 'MSG.GET'].map((request) => `$JS.API.STREAM.${request}.${stream}`),
  ),
  CREATE_LIVE_CONSUMER,
  LIVE_FLOW_CONTROL,
  CREATE_LOG_CONSUMER,
  LOG_FLOW_CONTROL,
]

/** Nodes read the feed and the logs of live sources, request channels that they miss, and send audience batches. */
const playing = [
  SNAPSHOT_REQUEST_SUBJECT,
  AUDIENCE_SUBJECT,
  INFO,
  CREATE_CONSUMER,
  FLOW_CONTROL,
  CREATE_LOG_CONSUMER,
  LOG_FLOW_CONTROL,
  `$JS.API.STREAM.INFO.${GUIDE_STREAM}`,
  `$JS.API.CONSUMER.CREATE.${GUIDE_STREAM}`,
  `$JS.FC.${GUIDE_STREAM}.>`,
]

/** Workers alone publish planned programs. */
const guiding = [
  GUIDE_SUBJECTS,
  GUIDE_MARKER_SUBJECT,
  ...['INFO', 'CREATE', 'MSG.GET'].map((request) => `$JS.API.STREAM.${request}.${GUIDE_STREAM}`),
]

const inboxes = (name: string) => `${inboxPrefixOf(name)}.>`

/** Both publish updates, read the clock of NATS, and create missing streams. Neither may delete them. */
const publishing = [
  UPDATE_SUBJECTS,
  CLOCK_SUBJECT,
  ...['INFO', 'CREATE', 'MSG.GET'].map((request) => `$JS.API.STREAM.${request}.${CLOCK_STREAM}`),
  INFO,
  ...['CREATE', 'UPDATE', 'MSG.GET'].map((request) => `$JS.API.STREAM.${request}.${FEED_STREAM}`),
]

/** The API reads reports of receivers, and the breaks of sources. */
const looking = [LIVE_STREAM, LIVE_LOG_STREAM].map((stream) => `$JS.API.STREAM.MSG.GET.${stream}`)

const rightsOf: Readonly<Record<Exclude<NatsRole, 'owner'>, (name: string) => Rights>> = {
  api: (name) => ({
    publish: [...publishing, ...looking, ENDED_CREDENTIALS_SUBJECT, BREAK_SUBJECTS],
    subscribe: [inboxes(name), ENDED_CREDENTIALS_SUBJECT],
  }),
  worker: (name) => ({
    // With its own consumers it reads what was published, and compares it with the database.
    publish: [...publishing, ...steering, ...guiding, HEARTBEAT_SUBJECT, MARKER_SUBJECT, CREATE_CONSUMER],
    subscribe: [inboxes(name), SNAPSHOT_REQUEST_SUBJECT, AUDIENCE_SUBJECT, liveDeliverySubjects(name)],
    isAnswering: true,
  }),
  playout: (name) => ({
    publish: playing,
    subscribe: [inboxes(name), deliverySubjects(name), liveDeliverySubjects(name)],
  }),
  receiver: (name) => ({ publish: receiving, subscribe: [inboxes(name), liveDeliverySubjects(name)] }),
}

/**
 * Subjects shared between accounts: services are requests, and streams are delivered messages.
 *
 * Separate accounts, since NATS checks the subject of a request but not its reply subject: within one account, a node
 * could make the server publish an answer on any subject, also on those of the feed.
 */
const imported: Readonly<
  Record<string, { readonly services: readonly string[]; readonly streams: readonly string[] }>
> = {
  PLAYOUT: {
    // Importing the first subject replaces JetStream's own answers for an account without streams.
    services: ['$JS.API.INFO', ...playing],
    streams: [deliverySubjects('*'), liveDeliverySubjects('*')],
  },
  RECEIVER: { services: ['$JS.API.INFO', ...receiving], streams: [liveDeliverySubjects('*')] },
}

/** The accounts of a NATS server with their users and permissions, as configuration. */
export function printNatsAccounts(users: readonly NatsUser[]): string {
  const usersOf = (...roles: readonly NatsRole[]) =>
    list('users', users.filter(({ role }) => roles.includes(role)).map(printUser))
  const exports = Object.entries(imported).flatMap(([account, { services, streams }]) => [
    ...services.map((subject) => `{ service: ${quote(subject)}, accounts: [${account}] }`),
    ...streams.map((subject) => `{ stream: ${quote(subject)}, accounts: [${account}] }`),
  ])
  const imports = (account: string) => [
    ...imported[account]!.services.map((it) => `{ service: { account: CONTROL, subject: ${quote(it)} } }`),
    ...imported[account]!.streams.map((it) => `{ stream: { account: CONTROL, subject: ${quote(it)} } }`),
  ]
  return `accounts {
  CONTROL {
    jetstream: enabled
${usersOf('owner', 'api', 'worker')}
${list('exports', exports)}
  }
  PLAYOUT {
${usersOf('playout')}
${list('imports', imports('PLAYOUT'))}
  }
  RECEIVER {
${usersOf('receiver')}
${list('imports', imports('RECEIVER'))}
  }
}
`
}

function printUser({ role, name, password }: NatsUser): string {
  const user = `user: ${quote(name)}, password: ${password}`
  if (role === 'owner') return `{ ${user} }`
  const { publish, subscribe, isAnswering } = rightsOf[role](name)
  // Requests of nodes come from another account, with a reply subject of the server itself.
  const responses = isAnswering === true ? '\n          allow_responses: { max: 1, expires: "1m" }' : ''
  return `{
        ${user}
        permissions: {
          publish: { allow: [${publish.map(quote).join(', ')}] }
          subscribe: { allow: [${subscribe.map(quote).join(', ')}] }${responses}
        }
      }`
}

const list = (name: string, items: readonly string[]) =>
  `    ${name}: [\n${items.map((item) => `      ${item}\n`).join('')}    ]`

const quote = (text: string) => JSON.stringify(text)
