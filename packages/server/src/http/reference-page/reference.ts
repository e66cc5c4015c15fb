import type { OpenApiDocument } from '@continuity/contract'
import { asSchema, type Schemas } from './schema-shape.ts'

export type OpenApiOperation = OpenApiDocument['paths'][string][string]
export type OpenApiParameter = OpenApiOperation['parameters'][number]
export type OpenApiResponse = OpenApiOperation['responses'][string]

/** Both documents combined: groups of operations in the order in which they are shown. */
export interface Reference {
  readonly groups: readonly ReferenceGroup[]
  readonly versions: readonly ReferenceVersion[]
}

export interface ReferenceGroup {
  readonly name: string
  readonly description: string
  readonly anchor: string
  readonly operations: readonly ReferenceOperation[]
}

export interface ReferenceOperation {
  readonly id: string
  readonly anchor: string
  /** In capitals. */
  readonly method: string
  /** With the prefix of its version. */
  readonly address: string
  /** Other addresses of the same operation. */
  readonly aliases: readonly { readonly anchor: string; readonly address: string }[]
  readonly operation: OpenApiOperation
  readonly version: ReferenceVersion
}

export interface ReferenceVersion {
  readonly name: string
  readonly prefix: string
  readonly description: string
  /** Header names as this version spells them; absent where the document names none. */
  readonly headers: readonly { readonly name: string; readonly variable: '$TOKEN' | '$DEVICE' }[]
  readonly schemas: Schemas
}

export function toReference(documents: readonly OpenApiDocument[]): Reference {
  const entries = documents.flatMap(operationsOf)
  const descriptions = new Map(
    documents.flatMap(({ tags }) => tags.map(({ name, description }) => [name, description])),
  )
  const groups = [...descriptions].map(([name, description]) => ({
    name,
    description,
    anchor: `group-${toAnchor(name.toLowerCase())}`,
    operations: entries.filter(({ operation }) => operation.tags[0] === name).toSorted(byAddress),
  }))
  return { groups, versions: documents.map(toVersion) }
}

export function findOperation(reference: Reference, id: string): ReferenceOperation | undefined {
  return reference.groups.flatMap(({ operations }) => operations).find((entry) => entry.id === id)
}

export const isSuccess = (status: string): boolean => status.startsWith('2')

/** Every operation has one success response. */
export function successOf(
  operation: OpenApiOperation,
): { readonly status: string; readonly response: OpenApiResponse } | undefined {
  const [status, response] = Object.entries(operation.responses).find(([code]) => isSuccess(code)) ?? []
  return status === undefined || response === undefined ? undefined : { status, response }
}

/** An anchor that needs no encoding in a link. */
export const toAnchor = (text: string): string => text.replace(/[^\w.-]+/g, '-')

function operationsOf(document: OpenApiDocument): ReferenceOperation[] {
  const version = toVersion(document)
  const entries = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      id: operation.operationId,
      anchor: toAnchor(operation.operationId),
      method: method.toUpperCase(),
      address: version.prefix + path,
      operation,
      version,
    })),
  )
  const ids = new Set(entries.map(({ id }) => id))
  const originalOf = (operation: OpenApiOperation) => {
    const original = operation['x-alias-of']
    return original !== undefined && ids.has(original) ? original : undefined
  }
  return entries
    .filter(({ operation }) => originalOf(operation) === undefined)
    .map((entry) => ({
      ...entry,
      aliases: entries.filter(({ operation }) => originalOf(operation) === entry.id),
    }))
}

function toVersion(document: OpenApiDocument): ReferenceVersion {
  const { credential, device } = asSchema(document.components.securitySchemes)
  return {
    name: textOf(document.info.version),
    prefix: textOf(document.servers[0]?.url),
    description: textOf(document.info.description),
    headers: [
      ...(credential === undefined
        ? []
        : [{ name: textOf(asSchema(credential).name), variable: '$TOKEN' as const }]),
      ...(device === undefined
        ? []
        : [{ name: textOf(asSchema(device).name), variable: '$DEVICE' as const }]),
    ],
    schemas: document.components.schemas,
  }
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : '')

const METHOD_ORDER = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/** A collection before its records, a record before its parts; reading before writing. */
function byAddress(a: ReferenceOperation, b: ReferenceOperation): number {
  if (a.address === b.address) return METHOD_ORDER.indexOf(a.method) - METHOD_ORDER.indexOf(b.method)
  return depthOf(a) - depthOf(b) || (a.address < b.address ? -1 : 1)
}

const depthOf = ({ address }: ReferenceOperation) => address.split('/').length
