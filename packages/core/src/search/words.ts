import { foldText } from '../text/fold-text.ts'

/** Longer ones are numbers or noise; the prefix identifies them, and the index stays small. */
const WORD_LENGTH = 64

/** "don't" and "dont" are one word. */
const INNER_APOSTROPHE = /(?<=[\p{L}\p{N}\p{M}])'(?=[\p{L}\p{N}\p{M}])/gu

const PLAIN = /^[\x20-\x7e]*$/
const PLAIN_APOSTROPHE = /(?<=[a-z0-9])'(?=[a-z0-9])/g

/**
 * Letters of scripts that are written without spaces. Only a dictionary could find the words in those; indexed
 * one by one, adjacent letters find every part of a text.
 */
const unspacedScripts = ['Han', 'Hiragana', 'Katakana', 'Thai', 'Lao', 'Khmer', 'Myanmar']
const UNSPACED = `[[${unspacedScripts.map((script) => `\\p{scx=${script}}`).join('')}]&&[\\p{L}\\p{N}]]`
const WORD = new RegExp(`${UNSPACED}\\p{M}*|[[\\p{L}\\p{N}\\p{M}]--${UNSPACED}]+`, 'gv')

/** The words of a text as searched, in order. */
export function wordsOf(text: string): string[] {
  const folded = foldText(text)
  // The same for most texts, in a fraction of the time.
  if (PLAIN.test(folded)) return (folded.replaceAll(PLAIN_APOSTROPHE, '').match(/[a-z0-9]+/g) ?? []).map(cut)
  // Characters separated by an apostrophe may compose to one without it.
  const joined = folded.replaceAll(INNER_APOSTROPHE, '').normalize('NFC')
  return (joined.match(WORD) ?? []).map(cut)
}

const cut = (word: string) =>
  word.length <= WORD_LENGTH ? word : Array.from(word).slice(0, WORD_LENGTH).join('')
