import { ENDED_CREDENTIALS_SUBJECT } from '../modules/auth/index.ts'
import { AUDIENCE_SUBJECT } from '../platform/audience-bus.ts'
import { inboxPrefixOf } from '../platform/bus.ts'
import { CLOCK_STREAM, CLOCK_SUBJECT } from '../platform/clock/broker-time.ts'
import {
  ASK_SUBJECT,
  BEAT_SUBJECT,
  deliverySubjects,
  FEED_STREAM,
  MARK_SUBJECT,
  STEP_SUBJECTS,
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

/** What a process may do on the bus. `owner` may do anything, and is for people and tests. */
export type NatsRole = 'owner' | 'api' | 'worker' | 'playout' | 'receiver'

export interface NatsUser {
  readonly role: NatsRole
  /** Letters, digits, `_` and `-`: the subjects on which a user is answered contain it. */
  readonly name: string
  /** As it is printed: in quotes, or the name of an environment variable after a `$`. */
  readonly password: string
}

interface Rights {
  readonly publish: readonly string[]
  readonly subscribe: readonly string[]
  /** It answers requests, on the subject that each names. */
  readonly isAnswering?: true
}

const INFO = `$JS.API.STREAM.INFO.${FEED_STREAM}`
const CREATE_CONSUMER = `$JS.API.CONSUMER.CREATE.${FEED_STREAM}`
const FLOW_CONTROL = `$JS.FC.${FEED_STREAM}.>`

const CREATE_LIVE_CONSUMER = `$JS.API.CONSUMER.CREATE.${LIVE_STREAM}`
const LIVE_FLOW_CONTROL = `$JS.FC.${LIVE_STREAM}.>`

const CREATE_LOG_CONSUMER = `$JS.API.CONSUMER.CREATE.${LIVE_LOG_STREAM}`
const LOG_FLOW_CONTROL = `$JS.FC.${LIVE_LOG_STREAM}.>`

/** Receivers write leases, logs, reports and health, read back what is there, and the time of NATS. */
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

/** Workers make the streams of live sources, say which should be received, and read how they are and what they brought. */
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
  ASK_SUBJECT,
  AUDIENCE_SUBJECT,
  INFO,
  CREATE_CONSUMER,
  FLOW_CONTROL,
  CREATE_LOG_CONSUMER,
  LOG_FLOW_CONTROL,
]

const inboxes = (name: string) => `${inboxPrefixOf(name)}.>`

/** Both publish updates, read the clock of NATS, and make the streams where they are missing. Neither may delete them. */
const publishing = [
  STEP_SUBJECTS,
  CLOCK_SUBJECT,
  ...['INFO', 'CREATE', 'MSG.GET'].map((request) => `$JS.API.STREAM.${request}.${CLOCK_STREAM}`),
  INFO,
  ...['CREATE', 'UPDATE', 'MSG.GET'].map((request) => `$JS.API.STREAM.${request}.${FEED_STREAM}`),
]

/** The API reads what receivers have measured, and the breaks of sources. */
const looking = [LIVE_STREAM, LIVE_LOG_STREAM].map((stream) => `$JS.API.STREAM.MSG.GET.${stream}`)

const rightsOf: Readonly<Record<Exclude<NatsRole, 'owner'>, (name: string) => Rights>> = {
  api: (name) => ({
    publish: [...publishing, ...looking, ENDED_CREDENTIALS_SUBJECT, BREAK_SUBJECTS],
    subscribe: [inboxes(name), ENDED_CREDENTIALS_SUBJECT],
  }),
  worker: (name) => ({
    // With consumers of its own it reads what was published, and compares it with the database.
    publish: [...publishing, ...steering, BEAT_SUBJECT, MARK_SUBJECT, CREATE_CONSUMER],
    subscribe: [inboxes(name), ASK_SUBJECT, AUDIENCE_SUBJECT, liveDeliverySubjects(name)],
    isAnswering: true,
  }),
  playout: (name) => ({
    publish: playing,
    subscribe: [inboxes(name), deliverySubjects(name), liveDeliverySubjects(name)],
  }),
  receiver: (name) => ({ publish: receiving, subscribe: [inboxes(name), liveDeliverySubjects(name)] }),
}

/**
 * What passes from one account to another: services are requests, and streams are messages that are delivered.
 *
 * Accounts and not users alone, since NATS checks only the subject of a request and not the one that it is to be
 * answered on: in one account, a node could have the server publish its answer on any subject, also on those of the feed.
 */
const imported: Readonly<
  Record<string, { readonly services: readonly string[]; readonly streams: readonly string[] }>
> = {
  PLAYOUT: {
    // JetStream's own answers for an account without streams are replaced by importing its first subject.
    services: ['$JS.API.INFO', ...playing],
    streams: [deliverySubjects('*'), liveDeliverySubjects('*')],
  },
  RECEIVER: { services: ['$JS.API.INFO', ...receiving], streams: [liveDeliverySubjects('*')] },
}

/** The accounts of a NATS server, with their users and rights, as its configuration spells them. */
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
  // Requests of nodes come from another account, with a subject for the answer that the server itself has made.
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
