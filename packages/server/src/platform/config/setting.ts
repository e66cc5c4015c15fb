import { isIP } from 'node:net'

/** One setting: its variable, its form and its purpose. */
export interface Setting<T> {
  readonly name: string
  readonly about: string
  readonly form: string
  /** Undefined where the setting is required. */
  readonly fallback: T | undefined
  /** Its value is never shown or logged. */
  readonly isSecret: boolean
  /** Returns the value, or what is wrong with the text. */
  readonly parse: (text: string) => { readonly value: T } | { readonly fault: string }
}

interface Common<T> {
  readonly about: string
  readonly fallback?: T
}

export function text(name: string, options: Common<string> & { secret?: true }): Setting<string> {
  return setting(name, options, 'text', (value) => ({ value }))
}

/** A text in a given form. */
export function formed(
  name: string,
  options: Common<string> & { form: string; isFormed: (text: string) => boolean },
): Setting<string> {
  const { form, isFormed } = options
  return setting(name, options, form, (value) => (isFormed(value) ? { value } : { fault: `must be ${form}` }))
}

export function integer(
  name: string,
  options: Common<number> & { minimum: number; maximum: number },
): Setting<number> {
  const { minimum, maximum } = options
  const form = `whole number, ${minimum} to ${maximum}`
  return setting(name, options, form, (given) => {
    const digits = minimum < 0 ? /^-?\d{1,15}$/ : /^\d{1,15}$/
    const value = digits.test(given) ? Number(given) : Number.NaN
    return value >= minimum && value <= maximum ? { value } : { fault: `must be a ${form}` }
  })
}

export function choice<const V extends readonly string[]>(
  name: string,
  options: Common<V[number]> & { values: V },
): Setting<V[number]> {
  const form = `one of ${options.values.join(', ')}`
  return setting(name, options, form, (given) =>
    options.values.includes(given) ? { value: given } : { fault: `must be ${form}` },
  )
}

/** An address with one of the given schemes, or several separated by commas. It may contain a password, so it is a secret. */
export function address(
  name: string,
  options: Common<string> & { schemes: readonly string[]; several?: true },
): Setting<string> {
  const schemes = options.schemes.map((scheme) => `${scheme}://…`).join(' or ')
  const form = `address, ${schemes}${options.several === true ? ', or several with commas' : ''}`
  const isAddress = (text: string) =>
    URL.canParse(text) && options.schemes.includes(new URL(text).protocol.slice(0, -1))
  return setting(name, { ...options, secret: true }, form, (given) => {
    const addresses = options.several === true ? given.split(',').map((text) => text.trim()) : [given]
    return addresses.every(isAddress) ? { value: given } : { fault: `must be an ${form}` }
  })
}

/** Origins of pages, comma-separated, or `*` for all. */
export function origins(name: string, options: Common<readonly string[]>): Setting<readonly string[]> {
  const form = 'comma-separated origins such as https://app.example, or *'
  const isOrigin = (text: string) => text === '*' || (URL.canParse(text) && new URL(text).origin === text)
  return setting(name, options, form, (given) => {
    const value = given.split(',').map((text) => text.trim())
    return value.every(isOrigin) ? { value } : { fault: `must be ${form}` }
  })
}

/** Addresses and networks of machines, comma-separated. */
export function networks(name: string, options: Common<readonly string[]>): Setting<readonly string[]> {
  const form = 'comma-separated IP addresses or networks such as 10.0.0.0/8'
  return setting(name, options, form, (given) => {
    const value = given === '' ? [] : given.split(',').map((text) => text.trim())
    return value.every(isNetwork) ? { value } : { fault: `must be ${form}` }
  })
}

/** A network of all addresses is rejected: it would trust every client. */
function isNetwork(text: string): boolean {
  const [address = '', prefix, ...more] = text.split('/')
  const bits = { 4: 32, 6: 128 }[isIP(address)]
  if (bits === undefined || address.includes('%') || more.length > 0) return false
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) >= 1 && Number(prefix) <= bits)
}

/** `127.0.0.1:PORT`; anything else is rejected. */
export function loopback(name: string, options: Common<string>): Setting<string> {
  const form = '127.0.0.1:PORT'
  return setting(name, options, form, (given) => {
    const port = Number(/^127\.0\.0\.1:(\d{1,5})$/.exec(given)?.[1])
    const isValid = given === '' || (port >= 1 && port <= 65_535)
    return isValid ? { value: given } : { fault: `must be ${form}` }
  })
}

function setting<T>(
  name: string,
  options: Common<T> & { secret?: true },
  form: string,
  parse: Setting<T>['parse'],
): Setting<T> {
  const { about, fallback, secret } = options
  return { name, about, form, fallback, isSecret: secret === true, parse }
}
