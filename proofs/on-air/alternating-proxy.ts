export * from '../shared/alternating-proxy.ts'
