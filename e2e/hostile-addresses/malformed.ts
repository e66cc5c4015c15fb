const words = (text: string): readonly string[] => text.split(' ')

const schemes = words('ftp file gopher dict ldap tftp jar ws wss unix data javascript blob:http')
const users = words('user@ user:word@ :word@ @ media.example@ media.example:80@ media.example%00@ a@b@')
const zones = words('%25eth0 %eth0 %251 %25lo')
const brokenV6 = words('[::1 ::1] [] [:] [::1]a [127.0.0.1] [::127.0.0.1.] [0x7f.1] [1::2::3] [::ffff:127.1]')
const brokenV4 = words(
  '256.0.0.1 1.2.3.4.5 0x100000000 4294967296 127.0.0.0x 09.0.0.1 127.0.0.1.. .127.0.0.1 127..1',
)
const brokenNames = words('-a.test a-.test a..test .a.test a.test.. a*.test * a,b.test a$b.test (a).test')
const brokenPorts = words('0x50 -1 65536 99999999 8o １２')
const gaps = ['\r\n', '\n', '\t', '\r', ' ', '\0', '\u001f', '\u007f', '\u0085', '\u00a0', '\u2028', '\ufeff']

/** Addresses that parsers read differently, or that none should accept; all aim at one port. */
export function malformedUrls(port: number): readonly string[] {
  const to = `127.0.0.1:${port}`
  const hosts = [...brokenV6, ...brokenV4, ...brokenNames]
  return [
    '',
    ' ',
    to,
    `//${to}/`,
    `http:${to}`,
    `http:/${to}`,
    `http:///${to}`,
    `http:\\\\${to}\\`,
    `http:/\\${to}`,
    `http://media.example\\@${to}/`,
    `http://media.example\\#@${to}/`,
    `http://${to}\\.media.example/`,
    `http://${'a'.repeat(64)}.test/`,
    `http://${'a.'.repeat(126)}test/`,
    `http://${to}/${'a'.repeat(5_000)}`,
    ...schemes.map((scheme) => `${scheme}://${to}/`),
    ...users.map((user) => `http://${user}${to}/`),
    ...zones.flatMap((zone) => ['fe80::1', '::1'].map((address) => `http://[${address}${zone}]:${port}/`)),
    ...hosts.map((host) => `http://${host}:${port}/`),
    ...brokenPorts.map((broken) => `http://127.0.0.1:${broken}/`),
    ...gaps.flatMap((gap) => [
      `http://${to}/${gap}X-Injected: 1`,
      `http://127.0.0.1${gap}:${port}/`,
      `${gap}http://${to}/`,
    ]),
  ]
}
