import { type ReferenceOperation, successOf } from './reference.ts'

/** Finds a value for a parameter by its name, in the example answers. */
export type ExampleValues = (operation: ReferenceOperation, name: string) => string | undefined

/**
 * The operation as a command that works once BASE, TOKEN and DEVICE are set as in Getting started. Optional parameters
 * are left out, except those in `added`, which are written as they are.
 */
export function curlCommand(
  entry: ReferenceOperation,
  values: ExampleValues,
  added: readonly string[] = [],
): string {
  const { operation, version } = entry
  const [mediaType, body] = Object.entries(operation.requestBody?.content ?? {})[0] ?? []
  const sentBody = body?.example
  const credentials = operation.security.length === 0 ? [] : version.headers
  const types = Object.keys(successOf(operation)?.response.content ?? {})
  // Without -N curl would buffer the stream.
  const noBuffer = types.includes('text/event-stream') ? ' -N' : ''
  return [
    `curl${noBuffer}${methodOption(entry.method, sentBody !== undefined)} "$BASE${exampleAddress(entry, values, added)}"`,
    ...credentials.map(({ name, variable }) => `-H "${name}: ${variable}"`),
    ...acceptHeader(types),
    ...(sentBody === undefined
      ? []
      : [`-H 'Content-Type: ${mediaType}'`, `-d ${quote(JSON.stringify(sentBody, null, 2))}`]),
  ].join(' \\\n  ')
}

/** In single quotes only the single quote is special to a shell. */
export const quote = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`

/** curl sends GET by itself, and POST when there is a body. */
function methodOption(method: string, hasBody: boolean): string {
  return method === (hasBody ? 'POST' : 'GET') ? '' : ` -X ${method}`
}

/** Where JSON is not the default, the command requests the default type. */
function acceptHeader(types: readonly string[]): string[] {
  return types.length === 0 || types.includes('application/json') ? [] : [`-H 'Accept: ${types[0]}'`]
}

function exampleAddress(entry: ReferenceOperation, values: ExampleValues, added: readonly string[]): string {
  const required = entry.operation.parameters.filter((parameter) => parameter.required)
  const exampleOf = (name: string) => encode(values(entry, name) ?? name.toUpperCase())
  const path = entry.address.replace(/\{([^}]+)\}/g, (_, name: string) => exampleOf(name))
  const given = required
    .filter((parameter) => parameter.in === 'query')
    .map(({ name }) => `${encode(name)}=${exampleOf(name)}`)
  const query = [...given, ...added]
  return query.length === 0 ? path : `${path}?${query.join('&')}`
}

/** An exclamation mark inside double quotes would be history expansion in an interactive shell. */
const encode = (value: string) => encodeURIComponent(value).replaceAll('!', '%21')
