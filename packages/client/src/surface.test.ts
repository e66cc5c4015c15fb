import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { test } from 'node:test'
import type { AnswerOf, Operations } from '@continuity/contract'
import type { Client, HitOf, ServerEvent } from './index.ts'

type IsProblem = typeof import('./index.ts').isProblem
type IsAny<T> = 0 extends 1 & T ? true : false
type Same<A, B> = IsAny<A> extends true ? false : [A] extends [B] ? ([B] extends [A] ? true : false) : false

/**
 * Never run: the type check is the test. If the types were looser, a
 * @ts-expect-error would be unused, which is an error too.
 */
export async function misuse(
  client: Client,
  isProblem: IsProblem,
  signal: AbortSignal,
  error: unknown,
): Promise<void> {
  const params = { video_id: 'v1' }

  await client.getVideo({ params })
  await client.getVideo({ params, query: { media_type: 'hls' } }, { signal })
  await client.getVideo({ params, query: { media_type: undefined } })
  // @ts-expect-error the input is required, because its params are
  await client.getVideo()
  // @ts-expect-error the params are required
  await client.getVideo({ query: { media_type: 'hls' } })
  // @ts-expect-error params are those of the path
  await client.getVideo({ params: { series_id: 's1' } })
  // @ts-expect-error a query has the values of the contract
  await client.getVideo({ params, query: { media_type: 'dash' } })
  // @ts-expect-error a query has the fields of the contract
  await client.getVideo({ params, query: { quality: 'high' } })
  // @ts-expect-error an operation without a body takes none
  await client.getVideo({ params, body: {} })
  // @ts-expect-error an operation without idempotency keys takes none
  await client.getVideo({ params }, { idempotencyKey: 'k' })

  await client.listVideos()
  await client.listVideos({ query: {} })
  // @ts-expect-error page marks are strings
  await client.listVideos({ query: { page_offset: 30 } })
  await client.listLiveSources({ query: { page_offset: 30 } })
  // @ts-expect-error offsets are numbers
  await client.listLiveSources({ query: { page_offset: '30' } })

  await client.reportAnalytics({ query: { from: '2026-03-01', to: '2026-03-01' } })
  // @ts-expect-error a query with a required field is required
  await client.reportAnalytics()
  // @ts-expect-error and so is the field
  await client.reportAnalytics({ query: { from: '2026-03-01' } })
  // @ts-expect-error a required field cannot be undefined
  await client.reportAnalytics({ query: { from: '2026-03-01', to: undefined } })

  await client.login({ body: { account_name: 'a', email: 'e', password: 'p' } })
  // @ts-expect-error a body has all required fields
  await client.login({ body: { account_name: 'a', email: 'e' } })
  // @ts-expect-error a body is required unless it is declared optional
  await client.createBrand({})

  const channel = { params: { linear_channel_id: 'c1' } }
  await client.stopLinearChannel(channel)
  await client.stopLinearChannel({ ...channel, body: { immediate: true } }, { idempotencyKey: 'k' })
  // @ts-expect-error an operation without a body takes none
  await client.startLinearChannel({ ...channel, body: {} })

  await client.deleteVideo({ params }, { ifMatch: '"1"' })
  // @ts-expect-error only operations with record.changed take an ETag
  await client.deleteBrand({ params: { brand_id: 'b1' } }, { ifMatch: '"1"' })

  client.streamEvents({}, { signal, lastEventId: '1' })
  client.streamEvents({ query: { kind: 'channel.*', follow: false } })
  // @ts-expect-error the stream begins now or with the oldest event
  client.streamEvents({ query: { from: 'yesterday' } })
  // @ts-expect-error a stream is not a promise
  assert.ok(client.streamEvents().then)

  // @ts-expect-error only a listing has all()
  assert.ok(client.getVideo.all)
  // @ts-expect-error the channels are a bare array, not a listing of pages
  assert.ok(client.listLinearChannels.pages)
  // @ts-expect-error no such operation
  assert.ok(client.getEverything)
  // @ts-expect-error the session is read-only
  client.session = undefined

  if (isProblem(error, 'video.not_found')) {
    assert.ok(true satisfies Same<typeof error.code, 'video.not_found'>)
    // @ts-expect-error the code is narrowed
    assert.equal(error.code === 'series.not_found', false)
  }
  if (isProblem(error)) assert.ok(true satisfies Same<typeof error.code, string>)
}

export async function answers(client: Client): Promise<void> {
  const video = await client.getVideo({ params: { video_id: 'v1' } })
  assert.ok(true satisfies Same<typeof video, AnswerOf<Operations['getVideo']>>)
  assert.ok(true satisfies Same<typeof video.status, 'DRAFT' | 'PROCESSING' | 'READY' | 'DISABLED' | 'ERROR'>)
  // @ts-expect-error an answer has the fields of the contract
  assert.ok(video.rating)

  const gone = await client.deleteVideo({ params: { video_id: 'v1' } })
  assert.ok(true satisfies Same<typeof gone, undefined>)

  for await (const hit of client.listVideos.all()) {
    assert.ok(true satisfies Same<typeof hit, HitOf<Operations['listVideos']>>)
    assert.ok(true satisfies Same<typeof hit, typeof video>)
  }
  for await (const page of client.listLiveSources.pages()) {
    assert.ok(true satisfies Same<typeof page, AnswerOf<Operations['listLiveSources']>>)
    assert.ok(true satisfies Same<(typeof page)['hits'][number]['live_source_id'], string>)
  }
  for await (const event of client.streamEvents()) assert.ok(true satisfies Same<typeof event, ServerEvent>)
}

test('no shipped file uses Node or a package other than the contract', async () => {
  const files = await readdir(import.meta.dirname)
  const shipped = files.filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))

  assert.ok(shipped.includes('index.ts'))
  for (const file of shipped) {
    const source = await readFile(`${import.meta.dirname}/${file}`, 'utf8')
    const imports = [...source.matchAll(/\bfrom '([^']+)'/g)].map(([, name]) => name ?? '')
    const foreign = imports.filter(
      (name) => name !== '@continuity/contract' && !/^\.\/[\w-]+\.ts$/.test(name),
    )
    assert.deepEqual(foreign, [], file)
    assert.doesNotMatch(source, /\b(process|Buffer)\./, file)
  }
})
