import { createClient, isProblem } from '@continuity/client'
import { openApiDocument, operations } from '@continuity/contract'
import { createPlaylistValidator, rules } from '@continuity/playlist-validator'

/** A program as a user of the published packages writes it: compiled outside of the project, and run by each Node. */
const { CONTINUITY_URL, CONTINUITY_ACCOUNT, CONTINUITY_EMAIL, CONTINUITY_PASSWORD } = process.env
const client = createClient({ baseUrl: CONTINUITY_URL! })
await client.login({
  body: { account_name: CONTINUITY_ACCOUNT!, email: CONTINUITY_EMAIL!, password: CONTINUITY_PASSWORD! },
})

const video = await client.createVideo({ body: { title: 'The Tide Table', duration: 60 } })
const titles: string[] = []
for await (const { title } of client.listVideos.all({ query: { sort: 'title.ASC' } })) titles.push(title)

// @ts-expect-error: a misspelt field must be an error, so the types are not any.
void video.titel

let code = ''
try {
  await client.getVideo({ params: { video_id: '0195c1de-6f00-7a10-8000-000000000001' } })
} catch (error) {
  if (!isProblem(error, 'video.not_found')) throw error
  code = error.code
}
const [violation] = createPlaylistValidator({}).checkMedia({ atMs: 0, rendition: 'a', text: '' })
const found = {
  node: process.versions.node.split('.')[0],
  title: video.title,
  isListed: titles.includes(video.title),
  code,
  path: operations.getVideo.path,
  openapi: openApiDocument('2.3').openapi,
  clause: rules[violation!.rule].clause,
}
console.log(JSON.stringify(found))
