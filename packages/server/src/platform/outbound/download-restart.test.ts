import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { downloadFile } from './download-file.ts'
import { aFileServer } from './testing/a-file-server.ts'
import { anOutboundClient } from './testing/an-outbound-client.ts'

const MEGABYTE = 2 ** 20

test('a download of a killed process is resumed by another', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'download-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const content = randomBytes(48 * MEGABYTE)
  await using server = await aFileServer({ content, silentAfter: [40 * MEGABYTE] })
  const file = join(folder, 'video.mp4')

  await killAfter(40 * MEGABYTE, server.origin, file)
  await using client = anOutboundClient({ allow: [`127.0.0.1:${server.port}`] })
  const signal = new AbortController().signal
  const options = { url: `${server.origin}/a`, file, mostBytes: 2 ** 30, limitMs: 60_000, signal }
  const { bytes } = await downloadFile(client, options)

  const [, range = ''] = server.requestedRanges
  const from = Number(/\d+/.exec(range)?.[0])
  assert.ok(from >= 32 * MEGABYTE && from <= 40 * MEGABYTE, range)
  assert.equal(bytes, content.length)
  assert.equal(hashOf(readFileSync(file)), hashOf(content))
})

async function killAfter(bytes: number, origin: string, file: string): Promise<void> {
  const program = join(import.meta.dirname, 'testing/download-process.ts')
  const child = spawn(process.execPath, [program, origin, file], { stdio: ['ignore', 'pipe', 'inherit'] })
  for await (const line of createInterface(child.stdout)) if (Number(line) === bytes) break
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

const hashOf = (content: Buffer) => createHash('sha256').update(content).digest('hex')
