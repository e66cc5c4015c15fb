import { address, text } from '../platform/config/setting.ts'

/** The settings of the owner's commands. Each reads only what it needs. */
export const ownerSettings = {
  databaseOwnerUrl: address('DATABASE_OWNER_URL', {
    about: 'PostgreSQL, as the role that owns the schema',
    schemes: ['postgres', 'postgresql'],
  }),
  credentialKeysFile: text('CREDENTIAL_KEYS_FILE', { about: 'File with the keys that sign credentials' }),
  feedKeysFile: text('FEED_KEYS_FILE', { about: 'File with the keys that sign the feed' }),
  feedPublicKeysFile: text('FEED_PUBLIC_KEYS_FILE', {
    about: 'File to which the public keys are written, for playout nodes',
  }),
} as const
