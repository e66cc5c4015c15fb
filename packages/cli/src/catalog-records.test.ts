import assert from 'node:assert/strict'
import { test } from 'node:test'
import { operations } from '@continuity/contract'
import { aService, type Received } from './testing/a-service.ts'
import { runLine } from './testing/a-world.ts'

const { getVideo, getSeries, getPlaylist, getBrand, getLinearChannel, readAudienceNow } = operations
const { listOutputs, listAudit, getUser, getAccount } = operations
const video = getVideo.example.answer
const series = getSeries.example.answer
const playlist = getPlaylist.example.answer
const user = getUser.example.answer
const pageOf = (hits: readonly unknown[], mark: string | null = null) => ({
  hits,
  page: { page_id: null, page_size: '50', page_mark: mark, page_offset: '0' },
  total: hits.length,
})

test('videos are listed up to the limit, without a further page', async (t) => {
  const queries: unknown[] = []
  const list = ({ query }: Received) => {
    queries.push(query)
    return { status: 200, json: pageOf([video, video], 'next') }
  }
  const { env } = await aService(t, { 'GET /api/2.1/videos': list })

  const { printed, exitCode } = await runLine('videos list --limit 2 --sort title.ASC', { env })

  assert.equal(exitCode, 0)
  assert.equal(printed.split('\n').length, 3)
  assert.match(printed, new RegExp(`${video.video_id} +${video.status} `))
  assert.deepEqual(queries, [{ page_size: '2', sort: 'title.ASC' }])
})

test('a video is found, shown, changed and deleted', async (t) => {
  const path = `/api/2.1/videos/${video.video_id}`
  const { env, requests } = await aService(t, {
    'POST /api/2.1/search/videos': pageOf([video]),
    [`GET ${path}`]: video,
    [`PATCH ${path}`]: { ...video, title: 'Ebb' },
    [`DELETE ${path}`]: () => ({ status: 204 }),
  })

  const found = await runLine('videos search tide -table', { env })
  const shown = await runLine(`videos show ${video.video_id} --json`, { env })
  const changed = await runLine(`videos change ${video.video_id} --title Ebb --status DISABLED`, { env })
  const nothing = await runLine(`videos change ${video.video_id}`, { env })
  const deleted = await runLine(`videos delete ${video.video_id} --json`, { env })

  assert.match(found.errorOutput, /Unknown option '-t'/)
  assert.deepEqual(JSON.parse(shown.printed), video)
  assert.match(changed.printed, /video +Ebb\n/)
  assert.match(nothing.errorOutput, /^Nothing to change\./)
  assert.deepEqual(JSON.parse(deleted.printed), { video_id: video.video_id, deleted: true })
  assert.deepEqual(
    requests.map(([name, body]) => [name, body]).filter(([name]) => String(name).startsWith('PATCH')),
    [[`PATCH ${path}`, { title: 'Ebb', status: 'DISABLED' }]],
  )
})

test('a term that excludes comes after --', async (t) => {
  const { env, requests } = await aService(t, { 'POST /api/2.1/search/videos': pageOf([video]) })

  const { printed } = await runLine('videos search -- tide -table', { env })

  assert.match(printed, new RegExp(video.video_id))
  assert.deepEqual(requests, [['POST /api/2.1/search/videos', { query: 'tide -table' }]])
})

test('series and playlists are listed, created, filled and deleted', async (t) => {
  const one = `/api/2.1/playlists/${playlist.playlist_id}`
  const { env, requests } = await aService(t, {
    'GET /api/2.1/series': pageOf([series]),
    'POST /api/2.1/series': { ...series, title: 'Nights' },
    [`GET /api/2.1/series/${series.series_id}/videos`]: pageOf([video]),
    'GET /api/2.1/playlists': pageOf([]),
    'POST /api/2.1/playlists': playlist,
    [`PUT ${one}/videos`]: pageOf([]),
    [`GET ${one}`]: playlist,
    [`DELETE ${one}`]: () => ({ status: 204 }),
  })

  const listed = await runLine('series list', { env })
  const made = await runLine('series create --title Nights', { env })
  const episodes = await runLine(`series videos ${series.series_id}`, { env })
  const none = await runLine('playlists list', { env })
  await runLine('playlists create --title Loop', { env })
  const filled = await runLine(`playlists set ${playlist.playlist_id} v2 v1`, { env })
  const deleted = await runLine(`playlists delete ${playlist.playlist_id}`, { env })

  assert.match(listed.printed, new RegExp(series.series_id))
  assert.match(made.printed, /series +Nights/)
  assert.match(episodes.printed, new RegExp(video.video_id))
  assert.equal(none.printed, 'north has no playlists.')
  assert.match(filled.printed, new RegExp(`playlist +${playlist.title}`))
  assert.equal(deleted.exitCode, 0, deleted.errorOutput)
  const bodies = Object.fromEntries(requests)
  assert.deepEqual(bodies[`PUT ${one}/videos`], { video_ids: ['v2', 'v1'] })
  assert.deepEqual(bodies['POST /api/2.1/series'], { title: 'Nights' })
})

test('outputs are listed, created with their profile, changed and deleted', async (t) => {
  const [output] = listOutputs.example.answer
  const path = '/linear_channels/c1/outputs'
  const { env, requests } = await aService(t, {
    [`GET ${path}`]: [output],
    [`POST ${path}`]: { ...output, distributor: 'pluto', delay_ms: 60_000 },
    [`PATCH ${path}/pluto`]: { ...output, window_ms: 30_000 },
    [`DELETE ${path}/pluto`]: () => ({ status: 204 }),
  })

  const listed = await runLine('outputs list c1', { env })
  const made = await runLine('outputs create c1 pluto --delay 60 --markers CUE', { env })
  const wrong = await runLine('outputs create c1 pluto --window 5', { env })
  const changed = await runLine('outputs change c1 pluto --window 30', { env })
  const deleted = await runLine('outputs delete c1 pluto', { env })

  assert.match(listed.printed, /^ +distributor +window/)
  assert.match(made.printed, /delay +60 s/)
  assert.match(wrong.errorOutput, /--window must be a whole number from 15 to 300/)
  assert.match(changed.printed, /window +30 s/)
  assert.equal(deleted.printed, 'Deleted output pluto.')
  assert.deepEqual(Object.fromEntries(requests)[`POST ${path}`], {
    distributor: 'pluto',
    markers: 'CUE',
    delay_ms: 60_000,
  })
})

test('the audit record is filtered by user, subject and time', async (t) => {
  const queries: unknown[] = []
  const list = ({ query }: Received) => {
    queries.push(query)
    return { status: 200, json: listAudit.example.answer }
  }
  const { env } = await aService(t, { 'GET /audit': list })

  const { printed } = await runLine('audit list --user u1 --subject c1 --from 2026-03-01T18:00:00Z', { env })

  assert.match(printed, /channel\.override +linear_channel /)
  assert.deepEqual(queries, [
    { page_size: '50', user_id: 'u1', subject_id: 'c1', from: '2026-03-01T18:00:00Z' },
  ])
})

test('an administrator manages the users of the own account', async (t) => {
  const path = `/api/2.1/users/${user.user_id}`
  const { env, requests } = await aService(t, {
    'GET /api/2.1/account': getAccount.example.answer,
    'GET /api/2.1/users': ({ query }: Received) => ({
      status: 200,
      json: pageOf(query['email'] === 'gone@north.example' ? [] : [user]),
    }),
    'POST /api/2.1/users': user,
    [`PATCH ${path}`]: user,
    [`DELETE ${path}`]: () => ({ status: 204 }),
  })

  const account = await runLine('account show', { env })
  const listed = await runLine('account users', { env })
  const added = await runLine('account add-user duty@north.example --roles ROLE_OPERATOR', { env })
  const changed = await runLine('account change-user duty@north.example --status DISABLED', { env })
  const removed = await runLine('account remove-user duty@north.example', { env })
  const missing = await runLine('account remove-user gone@north.example', { env })

  assert.match(account.printed, /account +north/)
  assert.match(listed.printed, new RegExp(user.email))
  assert.match(added.printed, /password +[\w-]{20}\n\nThe password is not shown again/)
  assert.doesNotMatch(changed.printed, /password/)
  assert.equal(removed.printed, 'Deleted user duty@north.example.')
  assert.match(missing.errorOutput, /no user gone@north\.example\.\nSee "continuity account users"/)
  assert.deepEqual(Object.fromEntries(requests)[`PATCH ${path}`], { status: 'DISABLED' })
})

test('a brand is created, listed, changed and deleted', async (t) => {
  const brand = getBrand.example.answer
  const path = `/api/2.1/brands/${brand.brand_id}`
  const { env, requests } = await aService(t, {
    'POST /api/2.1/brands': brand,
    'GET /api/2.1/brands': pageOf([brand]),
    [`GET ${path}`]: brand,
    [`PATCH ${path}`]: { ...brand, name: 'South' },
    [`DELETE ${path}`]: () => ({ status: 204 }),
  })

  const created = await runLine(`brands create ${brand.brand_id} --name North`, { env })
  const listed = await runLine('brands list', { env })
  const shown = await runLine(`brands show ${brand.brand_id} --json`, { env })
  const changed = await runLine(`brands change ${brand.brand_id} --name South`, { env })
  const deleted = await runLine(`brands delete ${brand.brand_id}`, { env })

  assert.match(created.printed, new RegExp(`id +${brand.brand_id}`))
  assert.match(listed.printed, new RegExp(`${brand.brand_id} +${brand.name}`))
  assert.deepEqual(JSON.parse(shown.printed), brand)
  assert.match(changed.printed, /brand +South/)
  assert.equal(deleted.printed, `Deleted brand ${brand.brand_id}.`)
  const bodies = Object.fromEntries(requests)
  assert.deepEqual(bodies['POST /api/2.1/brands'], { brand_id: brand.brand_id, name: 'North' })
  assert.deepEqual(bodies[`PATCH ${path}`], { name: 'South' })
})

test('series, playlists and channels are changed by what is given, and by nothing else', async (t) => {
  const channel = getLinearChannel.example.answer
  const paths = {
    series: `/api/2.1/series/${series.series_id}`,
    playlist: `/api/2.1/playlists/${playlist.playlist_id}`,
    channel: `/linear_channels/${channel.linear_channel_id}`,
  }
  const { env, requests } = await aService(t, {
    [`PATCH ${paths.series}`]: series,
    [`PATCH ${paths.playlist}`]: playlist,
    [`PATCH ${paths.channel}`]: channel,
    [`GET ${paths.channel}`]: channel,
    [`DELETE ${paths.channel}`]: () => ({ status: 204 }),
  })

  await runLine(`series change ${series.series_id} --brand north --status DISABLED`, { env })
  await runLine(`playlists change ${playlist.playlist_id} --title Ebb`, { env })
  await runLine(`channels change ${channel.linear_channel_id} --internal-title Main`, { env })
  const shown = await runLine(`channels show ${channel.linear_channel_id}`, { env })
  const deleted = await runLine(`channels delete ${channel.linear_channel_id}`, { env })
  const nothing = await Promise.all(
    ['series', 'playlists', 'channels'].map((of) => runLine(`${of} change x`, { env })),
  )

  assert.match(shown.printed, /internal title +north-one-main/)
  assert.equal(deleted.printed, `Deleted channel ${channel.linear_channel_id}.`)
  for (const { errorOutput } of nothing) assert.match(errorOutput, /^Nothing to change\./)
  assert.deepEqual(
    requests.filter(([name]) => name.startsWith('PATCH')).map(([, body]) => body),
    [{ brand_id: 'north', status: 'DISABLED' }, { title: 'Ebb' }, { internal_title: 'Main' }],
  )
})

test('the viewers of now are listed by channel and distributor', async (t) => {
  const { env } = await aService(t, { 'GET /audience/now': readAudienceNow.example.answer })

  const { printed } = await runLine('audience now', { env })

  assert.match(printed, /viewers +812\.4[\s\S]+direct +812\.4/)
})
