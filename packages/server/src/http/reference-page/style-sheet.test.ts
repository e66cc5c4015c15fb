import assert from 'node:assert/strict'
import { test } from 'node:test'
import { styleSheet } from './style-sheet.ts'

const [light = '', dark = ''] = styleSheet.split('@media (prefers-color-scheme: dark)')
const coloursOf = (text: string) =>
  new Map([...text.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map(([, name, value]) => [name, value]))

const methods = ['get', 'post', 'put', 'patch', 'delete']
const text = ['ink', 'soft', 'accent', 'required', 'extension', 'json-key', 'json-string', 'json-literal']
const pairs = [
  ...text.flatMap((name) => [[name, 'ground'] as const, [name, 'tint'] as const]),
  // An entry of the contents under the pointer, or the current one.
  ...['ink', 'accent', ...methods].map((name) => [name, 'line'] as const),
  ...methods.map((name) => [name, `${name}-tint`] as const),
]

for (const [scheme, colours] of [
  ['light', coloursOf(light)],
  ['dark', coloursOf(dark)],
] as const) {
  test(`text has enough contrast in the ${scheme} scheme`, () => {
    for (const [front, back] of pairs) {
      const ratio = contrast(colours.get(front) ?? '', colours.get(back) ?? '')

      assert.ok(ratio >= 4.5, `${front} on ${back}: ${ratio.toFixed(2)}`)
    }
  })
}

test('the style sheet fetches nothing', () => {
  assert.doesNotMatch(styleSheet, /url\(|@import|https?:/)
})

/** WCAG 2.2, contrast ratio. */
function contrast(a: string, b: string): number {
  const [lighter = 0, darker = 0] = [luminance(a), luminance(b)].toSorted((x, y) => y - x)
  return (lighter + 0.05) / (darker + 0.05)
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
