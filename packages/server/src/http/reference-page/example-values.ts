import type { ExampleValues } from './curl.ts'
import { type Reference, type ReferenceOperation, successOf } from './reference.ts'

/**
 * Values for the parameters of the example commands.
 *
 * The answer of the operation comes first, so that the command and the answer beside it are about the same record; then
 * any other answer.
 */
export function exampleValues(reference: Reference): ExampleValues {
  const everywhere = new Map<string, string>()
  for (const entry of reference.groups.flatMap(({ operations }) => operations)) {
    for (const [name, value] of valuesOf(entry)) if (!everywhere.has(name)) everywhere.set(name, value)
  }
  return (entry, name) => valuesOf(entry).get(name) ?? everywhere.get(name)
}

function valuesOf({ operation }: ReferenceOperation): Map<string, string> {
  const values = new Map<string, string>()
  for (const { example } of Object.values(successOf(operation)?.response.content ?? {}))
    collect(example, values)
  return values
}

/** Outer values take precedence: a page of videos names its channel before a video in it does. */
function collect(example: unknown, into: Map<string, string>): void {
  if (typeof example !== 'object' || example === null) return
  for (const [name, value] of Object.entries(example)) {
    if ((typeof value === 'string' || typeof value === 'number') && value !== '' && !into.has(name)) {
      into.set(name, String(value))
    }
  }
  for (const value of Object.values(example)) collect(value, into)
}
