export { type Account, findAccountId, getAccount, listAccounts } from './store.ts'
