import { Type } from 'typebox'
import { pageOf } from './page.ts'
import { countryCode, id, timestamp, title } from './scalars.ts'
import { changeOf, named, nullable, oneIntegerOf, oneOf, shape } from './shape.ts'

/** ROLE_ANONYMOUS is not among them: an app's session has it, a person never. */
export const grantableRoles = ['ROLE_USER', 'ROLE_ADMIN', 'ROLE_OPERATOR', 'SCHEDULE'] as const

/** As loose as mail itself: one @ with something on both sides. RFC 5321 §4.5.3.1.3 gives the length. */
export const email = (description: string) =>
  Type.String({
    maxLength: 254,
    pattern: '^[^\\s@\\u0000-\\u001f\\u007f-\\u009f]+@[^\\s@\\u0000-\\u001f\\u007f-\\u009f]+$',
    description,
  })

/** The upper bound keeps the work of hashing one small. */
const password = Type.String({
  minLength: 8,
  maxLength: 1_024,
  description: 'Password, 8 to 1,024 characters; never given back.',
})
const roles = Type.Array(oneOf(grantableRoles), {
  minItems: 1,
  maxItems: grantableRoles.length,
  uniqueItems: true,
  description: 'Roles of the user.',
})
const userName = Type.String({ maxLength: 255, description: 'Name of the person, or empty.' })
const userStatus = oneOf(['ACTIVE', 'DISABLED'], {
  description: 'DISABLED ends every session of the user and rejects new ones.',
})

export const User = named(
  'User',
  shape({
    user_id: id('Id of the user.'),
    email: email('E-mail that the user logs in with.'),
    name: userName,
    roles,
    status: userStatus,
    created_date: timestamp('When it was made.'),
    last_updated: timestamp('When it changed last.'),
    last_login: nullable(timestamp('The latest login; null before the first.')),
  }),
)
export const UserPage = pageOf('UserPage', User)
export const UserDraft = named(
  'UserDraft',
  shape({
    email: email('E-mail that the user logs in with; no two users of an account have the same.'),
    name: Type.Optional(userName),
    password,
    roles,
  }),
)
export const UserChange = named(
  'UserChange',
  changeOf({ name: userName, roles, password, status: userStatus }),
)

const appName = title('Name that the app registers its devices under.')

const AppKey = named(
  'AppKey',
  shape({
    app_key_id: id('Id of the key; not the key itself.'),
    app_name: appName,
    status: oneOf(['ACTIVE', 'REVOKED'], { description: 'A REVOKED key opens no session.' }),
    created_date: timestamp('When it was made.'),
    last_used: nullable(timestamp('When a device was last registered with it; null if none was.')),
  }),
)
export const AppKeyPage = pageOf('AppKeyPage', AppKey)
export const AppKeyDraft = named('AppKeyDraft', shape({ app_name: appName }))
export const NewAppKey = named(
  'NewAppKey',
  shape({
    ...AppKey.properties,
    sdk_key: Type.String({ description: 'The key. It is returned only here.' }),
  }),
)

const formatFields = {
  frame_rate: oneIntegerOf([25, 30], { description: 'Frames a second of the house format.' }),
  segment_ms: oneIntegerOf([3_200, 6_400], { description: 'Length of a segment in milliseconds.' }),
}
const accountFields = {
  title: title('Name that people see.'),
  country: countryCode('Taken for requests whose country is not known.'),
  ...formatFields,
  loudness_lufs: Type.Number({
    minimum: -31,
    maximum: -10,
    description: 'Loudness that media is brought to, in LUFS; kept to one decimal.',
  }),
}

export const Account = named(
  'Account',
  shape({
    account_id: id('Id of the account.'),
    account_name: title('Name that its users log in with.'),
    ...accountFields,
    is_format_frozen: Type.Boolean({
      description: 'True from the first asset on: frame_rate and segment_ms can no longer change.',
    }),
    created_date: timestamp('When it was made.'),
    last_updated: timestamp('When it changed last.'),
  }),
)
export const AccountChange = named('AccountChange', changeOf(accountFields))
