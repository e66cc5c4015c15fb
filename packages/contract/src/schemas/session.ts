import { Type } from 'typebox'
import { countryCode } from './scalars.ts'
import { named, shape } from './shape.ts'

export const Session = named(
  'Session',
  shape({
    country: countryCode('Where the request came from.'),
    user_agent: Type.String({ description: 'The User-Agent header of the request.' }),
    device_id: Type.String({ description: 'Send it back in the device header.' }),
    token: shape({
      token_access: Type.String({ description: 'Send it in the auth header; lasts 60 minutes.' }),
      token_refresh: Type.String({ description: 'Good for one refresh within 30 days.' }),
      roles: Type.Array(Type.String()),
    }),
  }),
)
