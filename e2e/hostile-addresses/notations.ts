/** The bytes of an IPv4 address. */
export type Bytes = readonly [number, number, number, number]

/** One address from every range that must not be reachable. */
export const innerAddresses: readonly Bytes[] = [
  [0, 0, 0, 0],
  [0, 0, 0, 1],
  [10, 0, 0, 1],
  [10, 255, 255, 254],
  [100, 64, 0, 1],
  [100, 100, 100, 200],
  [127, 0, 0, 1],
  [127, 0, 0, 2],
  [127, 255, 255, 254],
  [168, 63, 129, 16],
  [169, 254, 169, 254],
  [172, 16, 0, 1],
  [172, 31, 255, 254],
  [192, 0, 0, 192],
  [192, 0, 2, 1],
  [192, 88, 99, 1],
  [192, 168, 0, 1],
  [198, 18, 0, 1],
  [198, 51, 100, 1],
  [203, 0, 113, 1],
  [224, 0, 0, 1],
  [240, 0, 0, 1],
  [255, 255, 255, 255],
]

/** Internal addresses without an IPv4 form. */
export const innerV6: readonly string[] = [
  '::',
  '::1',
  '0:0:0:0:0:0:0:1',
  '0000:0000:0000:0000:0000:0000:0000:0001',
  '100::1',
  '2001:2::1',
  '2001:10::1',
  '2001:db8::1',
  '3fff::1',
  '4000::1',
  '5f00::1',
  'fc00::1',
  'fd00:ec2::254',
  'fdff:ffff::1',
  'fe80::1',
  'febf::1',
  'fec0::1',
  'ff02::1',
  'ff05::1:3',
]

/** Notations of an IPv4 address as a host; most are understood by some program. */
export const notations: Readonly<Record<string, (bytes: Bytes) => string>> = {
  dotted: (bytes) => bytes.join('.'),
  'dot at the end': (bytes) => `${bytes.join('.')}.`,
  'one number': (bytes) => `${numberOf(bytes)}`,
  'one hexadecimal number': (bytes) => `0x${numberOf(bytes).toString(16)}`,
  'one octal number': (bytes) => `0${numberOf(bytes).toString(8)}`,
  'two numbers': ([a, b, c, d]) => `${a}.${numberOf([0, b, c, d])}`,
  'three numbers': ([a, b, c, d]) => `${a}.${b}.${c * 256 + d}`,
  hexadecimal: (bytes) => bytes.map((byte) => `0x${byte.toString(16)}`).join('.'),
  'hexadecimal with zeros': (bytes) => bytes.map((byte) => `0x0000${byte.toString(16)}`).join('.'),
  octal: (bytes) => bytes.map((byte) => `0${byte.toString(8)}`).join('.'),
  'octal with zeros': (bytes) => bytes.map((byte) => `000${byte.toString(8)}`).join('.'),
  mixed: ([a, b, c, d]) => `0x${a.toString(16)}.0${b.toString(8)}.${c}.0x${d.toString(16)}`,
  'full-width digits': (bytes) => widen(bytes.join('.')),
  'ideographic dots': (bytes) => bytes.join('。'),
  'escaped letters': (bytes) =>
    [...bytes.join('.')].map((letter) => (letter === '.' ? letter : escaped(letter))).join(''),
  'escaped dots': (bytes) => bytes.join('%2e'),
  mapped: (bytes) => `[::ffff:${bytes.join('.')}]`,
  'mapped, in groups': (bytes) => `[::ffff:${groupsOf(bytes)}]`,
  'mapped, written out': (bytes) => `[0:0:0:0:0:FFFF:${groupsOf(bytes)}]`,
  compatible: (bytes) => `[::${bytes.join('.')}]`,
  translated: (bytes) => `[::ffff:0:${bytes.join('.')}]`,
  NAT64: (bytes) => `[64:ff9b::${bytes.join('.')}]`,
  'local NAT64': (bytes) => `[64:ff9b:1::${bytes.join('.')}]`,
  '6to4': (bytes) => `[2002:${groupsOf(bytes)}::1]`,
  Teredo: (bytes) => `[2001:0:808:808:0:0:${groupsOf(bytes.map((byte) => 255 - byte))}]`,
}

const numberOf = (bytes: readonly number[]): number => bytes.reduce((sum, byte) => sum * 256 + byte, 0)

const groupsOf = ([a = 0, b = 0, c = 0, d = 0]: readonly number[]): string =>
  `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`

const escaped = (letter: string): string => `%${letter.charCodeAt(0).toString(16)}`

/** U+FF10 is a full-width zero, U+FF0E a full-width dot. */
const widen = (text: string): string =>
  [...text].map((letter) => String.fromCodePoint((letter.codePointAt(0) ?? 0) + 0xfee0)).join('')
