import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startForGuides } from './first-channel-system.ts'
import { readBlocks, withValues } from './guide.ts'

const { base_url, password, run } = await startForGuides()

test('following the guide with curl literally gives a channel on air, with a program, a live source and a report', async () => {
  const blocks = await readBlocks('docs/first-channel-curl.md', 'sh')

  const printed = await run(withValues(blocks.join('\n'), { BASE: base_url, PASSWORD: password }))

  assert.equal(blocks.length, 8)
  assert.match(printed, /"state":"SCHEDULED"/)
  assert.match(printed, /^90p\.m3u8\?sid=/m)
  assert.match(printed, /<title[^>]*>First night</)
  assert.match(printed, /"status":"ACTIVE"/)
  assert.match(printed, /"linear_channel_override_status":"OVERRIDDEN"/)
  assert.match(printed, /EXT-X-(CUE-OUT|DATERANGE)/)
  assert.match(printed, /"linear_channel_name":"North Two"/)
  assert.match(printed, /"status":"(PENDING_)?OFFLINE"/)
})
