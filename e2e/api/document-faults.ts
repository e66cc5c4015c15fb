import type { OpenApiDocument } from '@continuity/contract'
import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'

/** What is wrong with an OpenAPI document: by the schema of the specification, and by the rules that it has only in words. */
export async function findDocumentFaults(document: OpenApiDocument): Promise<readonly string[]> {
  const { valid, errors } = await new Validator().validate(structuredClone({ ...document }))
  return [
    ...(valid ? [] : [`does not follow the specification: ${JSON.stringify(errors)}`]),
    ...findReferenceFaults(document),
    ...findOperationFaults(document),
  ]
}

/** References to nothing, and schemas that are none: the specification's schema looks into neither. */
function findReferenceFaults(document: OpenApiDocument): string[] {
  const ajv = new Ajv2020()
  const faults: string[] = []
  const visit = (value: unknown, path: readonly string[]): void => {
    if (typeof value !== 'object' || value === null) return
    const isSchema = path.at(-1) === 'schema' || path.slice(0, -1).join('/') === 'components/schemas'
    if (isSchema && ajv.validateSchema(value) !== true) {
      faults.push(`${path.join('/')} is not a JSON schema: ${ajv.errorsText()}`)
    }
    const { $ref } = value as { readonly $ref?: unknown }
    if (typeof $ref === 'string' && find(document, $ref) === undefined) {
      faults.push(`${path.join('/')} refers to ${$ref}, which does not exist`)
    }
    for (const [key, inner] of Object.entries(value)) visit(inner, [...path, key])
  }
  visit(document, [])
  return faults
}

function find(document: OpenApiDocument, reference: string): unknown {
  const [start, ...keys] = reference.split('/')
  if (start !== '#') return undefined
  return keys.reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], document)
}

function findOperationFaults({ paths, components }: OpenApiDocument): string[] {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.values(methods).map((operation) => ({ path, operation })),
  )
  const seen = new Set<string>()
  return operations.flatMap(({ path, operation: { operationId, parameters, security } }) => {
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)
    const declared = parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name)
    const schemes = Object.keys(components['securitySchemes'] ?? {})
    const unknown = security.flatMap((one) => Object.keys(one)).filter((name) => !schemes.includes(name))
    const isRepeated = seen.has(operationId)
    seen.add(operationId)
    return [
      ...(isRepeated ? [`${operationId} is the id of two operations`] : []),
      ...(new Set(inPath).symmetricDifference(new Set(declared)).size === 0
        ? []
        : [`${operationId} has the path parameters ${declared.join(', ')}, but its path is ${path}`]),
      ...unknown.map((name) => `${operationId} needs ${name}, which is no security scheme`),
    ]
  })
}
