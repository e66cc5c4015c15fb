import { downloadFile } from '../download-file.ts'
import { createOutboundClient } from '../outbound-client.ts'

/** A process that only downloads, so that a test can kill it. */
const [origin = '', file = ''] = process.argv.slice(2)
const client = createOutboundClient({ allow: [new URL(origin).host] })
await downloadFile(client, {
  url: `${origin}/a`,
  file,
  mostBytes: 2 ** 30,
  limitMs: 60_000,
  signal: new AbortController().signal,
  onProgress: ({ bytes }) => process.stdout.write(`${bytes}\n`),
})
