import { executionAsyncResource } from 'node:async_hooks'

const kept: object[] = []

/**
 * Node creates an object for each callback deferred to the next tick, seven per request. When a garbage collection finds
 * none alive, V8 discards their hidden class; after a few times it stops caching the class and adds each property one by
 * one, which took a fifth of a node's throughput. Keeping one object alive keeps the hidden class.
 */
export function keepTickShape(): void {
  process.nextTick(() => void kept.push(executionAsyncResource()))
}
