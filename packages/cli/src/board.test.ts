import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createBoard } from './board.ts'
import { onTerminal } from './testing/on-terminal.ts'

function aBoard() {
  const written: string[] = []
  const board = createBoard({ isTerminal: true, columns: () => 80, write: (text) => void written.push(text) })
  return { board, seen: () => onTerminal(written.join('')) }
}

test('lines are drawn over, and those that are gone are cleared', () => {
  const { board, seen } = aBoard()

  board.draw(['Harbour Nights', 'one is long', 'two'])
  board.draw(['Harbour Nights', 'one'])

  assert.deepEqual(seen(), ['Harbour Nights', 'one'])
})

test('what is said stays above, and cannot steer the terminal', () => {
  const { board, seen } = aBoard()

  board.draw(['Harbour Nights', 'one'])
  board.say('No answer \u001b[2J')
  board.draw(['Harbour Nights', 'two'])

  assert.deepEqual(seen(), ['No answer □[2J', 'Harbour Nights', 'two'])
})
