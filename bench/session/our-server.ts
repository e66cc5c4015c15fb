import { operations } from '@continuity/contract'
import { createVerifiedCredentials } from '../../packages/server/src/modules/auth/index.ts'
import { serveBenched } from '../engine/benched-api.ts'
import { benchKey } from './sessions.ts'

/** An operation that requires a credential with a role. */
const keys = new Map([[benchKey.kid, benchKey]])
const endedSessions = new Set<string>(['ended'])
const { verify } = createVerifiedCredentials({
  keys: () => keys,
  isEnded: ({ sessionId }) => endedSessions.has(sessionId),
  capacity: 50_000,
})
await serveBenched(operations.listLiveSources.access, verify)
