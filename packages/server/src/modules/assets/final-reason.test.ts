import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RunTooLong } from '../../platform/jobs/job-errors.ts'
import { StoreUnavailable } from '../../platform/media-store/store-unavailable.ts'
import { OutboundError } from '../../platform/outbound/outbound-error.ts'
import { finalReasonOf } from './final-reason.ts'
import { MediaRejected } from './packaging/media-rejected.ts'

const rejected = (isFinal: boolean) =>
  new OutboundError('fetch.status', 'The server rejected it.', { isFinal })
const running = new AbortController().signal
const stopped = AbortSignal.abort(new Error('the worker ends'))

/** The code of the reason why an asset fails; undefined where it is retried. */
const codeOf = (error: unknown, isLastTry: boolean, signal = running) =>
  finalReasonOf(error, { isLastTry, signal })?.code

test('a fault of the file or its address is final at the first attempt, also in a worker that stops', () => {
  const media = new MediaRejected('media.no_video', 'There is no picture in it.')

  for (const signal of [running, stopped]) {
    assert.equal(codeOf(media, false, signal), 'media.no_video')
    assert.equal(codeOf(rejected(true), false, signal), 'fetch.status')
  }
})

test('a run that took too long is final at the first attempt', () => {
  assert.equal(codeOf(new Error('aborted'), false, AbortSignal.abort(new RunTooLong(1))), 'asset.gave_up')
})

test('a temporary fault is final at the last attempt, and not before', () => {
  const faults = [
    [rejected(false), 'fetch.status'],
    [new StoreUnavailable('store.full', new Error('ENOSPC /mnt/media')), 'store.full'],
    [new Error('whatever'), 'asset.gave_up'],
  ] as const

  for (const [fault, code] of faults) {
    assert.equal(codeOf(fault, false), undefined)
    assert.equal(codeOf(fault, true), code)
  }
})

test('a worker that stops, or has lost its job, fails no asset, also at the last attempt', () => {
  for (const fault of [rejected(false), new Error('aborted')])
    assert.equal(codeOf(fault, true, stopped), undefined)
})

test('a reason contains no internal path', () => {
  const fault = new StoreUnavailable('store.unreachable', new Error('ENOENT /mnt/media'))

  const reason = finalReasonOf(fault, { isLastTry: true, signal: running })

  assert.doesNotMatch(reason!.message, /mnt/)
})
