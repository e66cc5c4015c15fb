import { accessTable } from './access-table.ts'
import { describeAnswer, forEachAtOnce } from './call.ts'
import { countAnswers, type Difference, type Findings } from './differences.ts'
import { everyWay } from './requests.ts'
import type { World } from './world.ts'

/** Ways to write an address that a router might read as the same, past the door that guards it. */
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

/** What proxies and frameworks are known to take another address or method from. */
const headers = { 'x-original-url': '/livez', 'x-rewrite-url': '/livez', 'x-http-method-override': 'GET' }

/** 405 where it is read as the address of something else, whose id is empty. */
const REFUSED = /^(400|401|404|405)\b/

/** However an address is written, no request without a credential is let in. */
export async function checkSpellings({ api }: World): Promise<Findings> {
  const open = new Set(accessTable.filter(({ isOpen }) => isOpen).map(({ operationId }) => operationId))
  const differences: Difference[] = []
  const { answers, count } = countAnswers()
  const guarded = everyWay.filter(({ operationId }) => !open.has(operationId))
  await forEachAtOnce(guarded, async ({ operationId, name, request }) => {
    for (const [what, spell] of Object.entries(spellings)) {
      const asked = request(headers)
      const [path = '', query] = asked.path.split('?')
      const spelt = query === undefined ? spell(path) : `${spell(path)}?${query}`
      const got = describeAnswer(await api.send({ ...asked, path: spelt }))
      count(operationId)
      if (!REFUSED.test(got)) differences.push({ operation: name, what, expected: 'a refusal', got })
    }
  })
  return { answers, differences }
}
