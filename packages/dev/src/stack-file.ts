import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Child } from './child-process.ts'
import { birthOf } from './left-behind.ts'
import { writePrivateFile } from './private-file.ts'

/** What runs in a home right now, for tools and tests. The addresses hold the servers' passwords. */
export interface StackRecord {
  readonly pid: number
  readonly base_url: string | null // null until the API is ready
  readonly playout_url: string | null // null until the playout node is ready, and without one
  readonly database_url: string
  readonly database_owner_url: string
  readonly nats_url: string
  readonly processes: readonly ProcessRecord[]
}

export interface ProcessRecord {
  readonly name: string
  readonly pid: number
  readonly born?: string | undefined
}

export async function recordProcess({ name, pid }: Child): Promise<ProcessRecord> {
  return { name, pid, born: await birthOf(pid) }
}

export async function writeStackFile(home: string, record: StackRecord): Promise<void> {
  await writePrivateFile(fileIn(home), `${JSON.stringify(record, null, 2)}\n`)
}

export async function findStackFile(home: string): Promise<StackRecord | undefined> {
  const text = await readFile(fileIn(home), 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  const record: StackRecord = JSON.parse(text)
  return record
}

export async function removeStackFile(home: string): Promise<void> {
  await rm(fileIn(home), { force: true })
}

function fileIn(home: string): string {
  return join(home, 'stack.json')
}
