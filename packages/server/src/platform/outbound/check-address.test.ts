import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkAddress, hostOf, portOf } from './check-address.ts'
import { OutboundError } from './outbound-error.ts'

const read = (text: string, allow: readonly string[] = []): string => {
  try {
    const { url } = checkAddress(text, allow)
    return `${hostOf(url)} ${portOf(url)}`
  } catch (error) {
    assert.ok(error instanceof OutboundError && error.isFinal, String(error))
    return error.code
  }
}

const hosts: Readonly<Record<string, string>> = {
  'http://media.example/a.mp4': 'media.example 80',
  'HTTPS://Media.Example:8443/a?b#c': 'media.example 8443',
  'https://media.example./a': 'media.example 443',
  'https://bücher.example/': 'xn--bcher-kva.example 443',
  'http://media。example/': 'media.example 80',
  'http://127.0.0.1/': '127.0.0.1 80',
  'http://127.1/': '127.0.0.1 80',
  'http://127.0.0.1./': '127.0.0.1 80',
  'http://2130706433/': '127.0.0.1 80',
  'http://0x7f.1/': '127.0.0.1 80',
  'http://0x7f000001/': '127.0.0.1 80',
  'http://0177.0.0.01/': '127.0.0.1 80',
  'http://１２７.０.０.１/': '127.0.0.1 80',
  'http://①②⑦.⓪.⓪.①/': '127.0.0.1 80',
  'http://%31%32%37.0.0.1/': '127.0.0.1 80',
  'http://[::1]/': '::1 80',
  'http://[0:0:0:0:0:0:0:1]/': '::1 80',
  'http://[::ffff:127.0.0.1]/': '::ffff:7f00:1 80',
}

for (const [text, expected] of Object.entries(hosts)) {
  test(`${text} is normalized to the host that is connected to`, () => {
    assert.equal(read(text), expected)
  })
}

const invalid = [
  '',
  'media.example/a.mp4',
  '//media.example/',
  'ftp://media.example/',
  'file:///etc/passwd',
  'gopher://127.0.0.1:6379/_',
  'data:text/plain,a',
  'http:media.example',
  'http:/media.example',
  'http:///media.example',
  'http:\\\\media.example',
  'http://good.example\\@127.0.0.1/',
  'http://user@media.example/',
  'http://user:word@media.example/',
  'http://@media.example/',
  'http://media.example:80@127.0.0.1/',
  ' http://media.example/',
  'http://media.example/\r\nX: y',
  'http://media.example/a b',
  'http://media.example/\u0000',
  'http://media.example/\u007f',
  'http://medi\ta.example/',
  'http://[fe80::1%25eth0]/',
  'http://[::1/',
  'http://media.example:99999/',
  'http://media.example:-1/',
  'http://-a.example/',
  'http://a..example/',
  'http://media.example../',
  'http://a*.example/',
  'http://256.256.256.256/',
  'http://1.2.3.4.5/',
  `http://${'a'.repeat(64)}.example/`,
  `http://${'a.'.repeat(127)}example/`,
  `http://media.example/${'a'.repeat(5_000)}`,
]

for (const text of invalid) {
  test(`${JSON.stringify(text.slice(0, 60))} is rejected as an address`, () => {
    assert.equal(read(text), 'address.invalid')
  })
}

test('a port of another service is forbidden unless the operator allows it', () => {
  assert.equal(read('http://media.example:6379/'), 'address.forbidden')
  assert.equal(read('http://media.example:22/'), 'address.forbidden')
  assert.equal(read('http://media.internal:6379/', ['media.internal:6379']), 'media.internal 6379')
})
