import { address, text } from '../platform/config/setting.ts'

/** What the owner's commands are set with. Each reads only what it needs. */
export const ownerSettings = {
  databaseOwnerUrl: address('DATABASE_OWNER_URL', {
    about: 'PostgreSQL, as the role that owns the schema',
    schemes: ['postgres', 'postgresql'],
  }),
  credentialKeysFile: text('CREDENTIAL_KEYS_FILE', { about: 'File with the keys that sign credentials' }),
  feedKeysFile: text('FEED_KEYS_FILE', { about: 'File with the keys that sign the feed' }),
  feedPublicKeysFile: text('FEED_PUBLIC_KEYS_FILE', {
    about: 'File that the public halves of these keys are written to, for playout nodes',
  }),
} as const
