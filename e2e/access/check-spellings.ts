import { accessTable } from './access-table.ts'
import { describeAnswer, forEachAtOnce } from './call.ts'
import { countAnswers, type Difference, type Findings } from './differences.ts'
import { everyWay } from './requests.ts'
import type { World } from './world.ts'

/** Ways to write a path that a router might resolve while the authentication check does not. */
const spellings: Readonly<Record<string, (path: string) => string>> = {
  'a slash behind': (path) => `${path}/`,
  'two slashes': (path) => path.replace('/api/', '/api//'),
  'a slash before': (path) => `/${path}`,
  'in capitals': (path) => path.toUpperCase(),
  'a dot in it': (path) => path.replace('/api/', '/api/./'),
  'up and down again': (path) => path.replace('/api/', '/livez/../api/'),
  'a letter encoded': (path) => path.replace('/api/', '/%61pi/'),
  'a slash encoded': (path) => path.replace(/\/(?=[^/]*$)/, '%2F'),
  'a parameter in it': (path) => `${path};admin=true`,
  'NUL behind': (path) => `${path}%00`,
  'a question mark behind': (path) => `${path}?`,
  'the whole address': (path) => `http://127.0.0.1${path}`,
}

/** Headers from which some proxies and frameworks take another path or method. */
const headers = { 'x-original-url': '/livez', 'x-rewrite-url': '/livez', 'x-http-method-override': 'GET' }

/** 405 where the path is that of another operation with an empty id. */
const REJECTED = /^(400|401|404|405)\b/

/** However a path is written, no request without a credential is accepted. */
export async function checkSpellings({ api }: World): Promise<Findings> {
  const open = new Set(accessTable.filter(({ isOpen }) => isOpen).map(({ operationId }) => operationId))
  const differences: Difference[] = []
  const { answers, count } = countAnswers()
  const guarded = everyWay.filter(({ operationId }) => !open.has(operationId))
  await forEachAtOnce(guarded, async ({ operationId, name, request }) => {
    for (const [what, spell] of Object.entries(spellings)) {
      const sent = request(headers)
      const [path = '', query] = sent.path.split('?')
      const spelt = query === undefined ? spell(path) : `${spell(path)}?${query}`
      const got = describeAnswer(await api.send({ ...sent, path: spelt }))
      count(operationId)
      if (!REJECTED.test(got)) differences.push({ operation: name, what, expected: 'a rejection', got })
    }
  })
  return { answers, differences }
}
