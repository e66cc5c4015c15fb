import { type OpenApiDocument, openApiDocument, type Version } from '@continuity/contract'
import type { DocumentedError } from '../../platform/errors.ts'
import { guideOf } from './guide.ts'

type Operation = OpenApiDocument['paths'][string][string]
type Response = Operation['responses'][string]

/**
 * The document of a version as the page shows it: with a guide before the operations, roles as badges, and an example
 * of each error. The published document stays as it is.
 */
export function readersDocument(version: Version, errors: readonly DocumentedError[]): OpenApiDocument {
  const document = openApiDocument(version)
  const paths = Object.entries(document.paths).map(([path, methods]) => {
    const shown = Object.entries(methods)
      .filter(([, operation]) => operation['x-alias-of'] === undefined)
      .map(([method, operation]) => [method, forReaders(document, operation, errors)])
    return [path, Object.fromEntries(shown)]
  })
  return {
    ...document,
    info: {
      ...document.info,
      description: `${String(document.info.description)}\n${guideOf(version, errors)}`,
    },
    paths: Object.fromEntries(paths),
    components: {
      ...document.components,
      examples: Object.fromEntries(errors.map((kind) => problemExample(version, kind))),
    },
  }
}

function forReaders(document: OpenApiDocument, operation: Operation, errors: readonly DocumentedError[]) {
  const responses = Object.entries(operation.responses).map(([status, response]) => [
    status,
    status.startsWith('2') ? withEvents(response) : withProblems(response, Number(status), errors),
  ])
  return {
    ...operation,
    description: descriptionOf(document, operation),
    responses: Object.fromEntries(responses),
    'x-badges': badgesOf(operation),
  }
}

function descriptionOf({ paths, servers }: OpenApiDocument, operation: Operation): string {
  const aliases = Object.entries(paths)
    .filter(([, methods]) =>
      Object.values(methods).some((other) => other['x-alias-of'] === operation.operationId),
    )
    .map(([path]) => `The same operation is also at \`${String(servers[0]?.url)}${path}\`.`)
  return [operation.description, `**Needs** ${needs(operation['x-access'])}.`, ...aliases]
    .filter((text) => text !== undefined)
    .join('\n\n')
}

function needs(access: Operation['x-access']): string {
  if (access === 'public') return 'no credential'
  if (access === 'any') return 'any valid credential'
  return access.map((role) => `\`${role}\``).join(' or ')
}

function badgesOf({ 'x-access': access, 'x-ours': isOurs }: Operation) {
  const roles = typeof access === 'string' ? [access === 'any' ? 'any role' : 'no credential'] : access
  return [...roles, ...(isOurs === true ? ['extension'] : [])].map((name) => ({ name }))
}

/** OpenAPI has no word for the items of a stream; the page shows their schema as that of the answer. */
function withEvents(response: Response): Response {
  const content = Object.entries(response.content ?? {}).map(([type, { 'x-event': event, ...rest }]) => [
    type,
    event === undefined ? rest : { ...rest, schema: event },
  ])
  return content.length === 0 ? response : { ...response, content: Object.fromEntries(content) }
}

/** Examples of the codes that its description lists, else of those that any operation may return with that status. */
function withProblems(response: Response, status: number, errors: readonly DocumentedError[]): Response {
  const listed = [...response.description.matchAll(/`([a-z_]+\.[a-z_]+)`/g)].map(([, code]) => code)
  const isExample = ({ code }: DocumentedError) =>
    listed.length === 0 ? /^(credential|role|request|server|route)\./.test(code) : listed.includes(code)
  const codes = errors.filter((kind) => kind.status === status && isExample(kind)).map(({ code }) => code)
  const examples = codes.map((code) => [code, { $ref: `#/components/examples/${code}` }])
  const content = Object.entries(response.content ?? {}).map(([type, rest]) => [
    type,
    { ...rest, examples: Object.fromEntries(examples) },
  ])
  return { ...response, content: Object.fromEntries(content) }
}

function problemExample(version: Version, { code, status, title }: DocumentedError) {
  const value = {
    type: `/docs#${code}`,
    title,
    status,
    detail: title,
    instance: `/api/${version}/…`,
    message: title,
    code,
    request_id: '0195c1de-6f00-7a10-8000-000000002001',
    ...(code === 'request.invalid'
      ? { errors: [{ pointer: '#query/page_size', code: 'maximum', message: 'must be <= 50' }] }
      : {}),
  }
  return [code, { summary: code, value }] as const
}
