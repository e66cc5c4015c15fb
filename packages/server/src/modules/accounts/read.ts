export { type Account, findAccountId, getAccount, hasTimeFill, listAccounts } from './store.ts'
