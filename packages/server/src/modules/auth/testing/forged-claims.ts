import { encode, type Forge, type Forgeries, signed } from './forging.ts'

/** Tokens with other claims than were signed, or with claims that we never sign. */
export function forgedClaims(forge: Forge): Forgeries {
  return { ...withEdits(forge), ...withGaps(forge), ...withStrangeValues(forge), ...withOtherPayloads(forge) }
}

/** With the signature of the original token. */
function withEdits({ header, claims, signature }: Forge): Forgeries {
  const edited = (change: object) => `${header}.${encode({ ...claims, ...change })}.${signature}`
  const twice = (last: string) => `${JSON.stringify(claims).slice(0, -1)},${last}}`
  return {
    'another role': edited({ roles: ['SCHEDULE'] }),
    'every role': edited({ roles: ['ROLE_ADMIN', 'ROLE_OPERATOR', 'ROLE_USER', 'SCHEDULE'] }),
    'another account': edited({ acc: '00000000-0000-7000-8000-000000000002' }),
    'another user': edited({ sub: '00000000-0000-7000-8000-000000000003' }),
    'another device in it': edited({ dev: '00000000-0000-7000-8000-000000000004' }),
    'another session': edited({ sid: '00000000-0000-7000-8000-000000000005' }),
    'a later generation': edited({ gen: 9 }),
    'a later end': edited({ exp: 9_999_999_999 }),
    'an end that has passed': edited({ exp: 1 }),
    'a negative end': edited({ exp: -1 }),
    'an end that is text': edited({ exp: '9999999999' }),
    'an end in the middle of a second': edited({ exp: 9_999_999_999.5 }),
    'an end beyond all numbers': `${header}.${encode(twice('"exp":1e999'))}.${signature}`,
    'no end': edited({ exp: undefined }),
    'a claim more': edited({ admin: true }),
    'its roles twice': `${header}.${encode(twice('"roles":["ROLE_ADMIN"]'))}.${signature}`,
    'its account twice': `${header}.${encode(twice('"acc":"00000000-0000-7000-8000-000000000002"'))}.${signature}`,
    'the same claims with a space': `${header}.${encode(`${JSON.stringify(claims)} `)}.${signature}`,
    'the same claims in another order': `${header}.${encode(Object.fromEntries(Object.entries(claims).toReversed()))}.${signature}`,
  }
}

function withGaps({ key, head, claims }: Forge): Forgeries {
  const forgeries = Object.keys(claims).flatMap((name) =>
    (['left out', 'null', 'a list'] as const).map((how) => {
      const value = { 'left out': undefined, null: null, 'a list': [] }[how]
      // An empty list of roles is what a user without any has.
      const isGood = name === 'roles' && how === 'a list'
      return [
        `${name} is ${how}, properly signed`,
        isGood ? undefined : { ...claims, [name]: value },
      ] as const
    }),
  )
  const bad = forgeries.filter(([, value]) => value !== undefined)
  return Object.fromEntries(bad.map(([name, value]) => [name, signed(head, value, key.privateKey)]))
}

function withStrangeValues({ key, head, claims }: Forge): Forgeries {
  const ours = (change: object) => signed(head, { ...claims, ...change }, key.privateKey)
  const endless = `${JSON.stringify(claims).slice(0, -1)},"exp":1e999}`
  return {
    'claims that are missing, properly signed': signed(head, { sub: 'user-1' }, key.privateKey),
    'an end that is text, properly signed': ours({ exp: '9999999999' }),
    'a negative end, properly signed': ours({ exp: -1 }),
    'an end in the middle of a second, properly signed': ours({ exp: 9_999_999_999.5 }),
    'an end beyond all numbers, properly signed': signed(head, endless, key.privateKey),
    'an end beyond all whole numbers, properly signed': ours({ exp: 1e300 }),
    'a beginning that is text, properly signed': ours({ iat: '0' }),
    'a negative beginning, properly signed': ours({ iat: -1 }),
    'roles that are text, properly signed': ours({ roles: 'SCHEDULE' }),
    'roles that are an array-like object, properly signed': ours({ roles: { 0: 'ROLE_ADMIN', length: 1 } }),
    'roles that are no names, properly signed': ours({ roles: [['ROLE_ADMIN']] }),
    'a device that is empty, properly signed': ours({ dev: '' }),
    'an account that is empty, properly signed': ours({ acc: '' }),
    'a session that is a number, properly signed': ours({ sid: 1 }),
    'a user that is an object, properly signed': ours({ sub: {} }),
    'a negative generation, properly signed': ours({ gen: -1 }),
    'half of a generation, properly signed': ours({ gen: 0.5 }),
    'a generation that is text, properly signed': ours({ gen: '0' }),
  }
}

function withOtherPayloads({ key, head, header, signature, claims }: Forge): Forgeries {
  const ours = (payload: unknown) => signed(head, payload, key.privateKey)
  return {
    'a payload that is null, properly signed': ours('null'),
    'a payload that is no JSON, properly signed': ours('x'),
    'a payload that is text, properly signed': ours('"claims"'),
    'a payload that is a number, properly signed': ours('1'),
    'a payload that is a list, properly signed': ours([claims]),
    'a payload with more behind it, properly signed': ours(`${JSON.stringify(claims)}{}`),
    'a payload that is empty, properly signed': ours('{}'),
    'claims of its prototype, properly signed': ours(`{"__proto__":${JSON.stringify(claims)}}`),
    'an empty payload': `${header}.${encode({})}.${signature}`,
  }
}
