import type { AnswerOf, Operations } from '@continuity/contract'
import type { AppKey } from './records/app-key-store.ts'
import type { User } from './records/user-store.ts'
import type { OpenedSession } from './sessions/open-session.ts'

export const toSessionAnswer = (session: OpenedSession): AnswerOf<Operations['login']> => ({
  country: session.country,
  user_agent: session.userAgent,
  device_id: session.deviceId,
  token: {
    token_access: session.accessCredential,
    token_refresh: session.refreshCredential,
    roles: [...session.roles],
  },
})

export const toUserAnswer = (user: User): AnswerOf<Operations['getUser']> => ({
  user_id: user.userId,
  email: user.email,
  name: user.name,
  roles: [...user.roles] as AnswerOf<Operations['getUser']>['roles'],
  status: user.status,
  created_date: timestamp(user.createdMs),
  last_updated: timestamp(user.updatedMs),
  last_login: user.lastLoginMs === null ? null : timestamp(user.lastLoginMs),
})

export const toAppKeyAnswer = (key: AppKey): AnswerOf<Operations['listAppKeys']>['hits'][number] => ({
  app_key_id: key.appKeyId,
  app_name: key.appName,
  status: key.status,
  created_date: timestamp(key.createdMs),
  last_used: key.lastUsedMs === null ? null : timestamp(key.lastUsedMs),
})

const timestamp = (ms: number) => new Date(ms).toISOString()
