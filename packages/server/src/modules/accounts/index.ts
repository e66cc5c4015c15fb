export { type CreateAccountResult, createAccount, type NewAccount } from './create-account.ts'
export { lockFormat, setDefaultSlate } from './store.ts'
