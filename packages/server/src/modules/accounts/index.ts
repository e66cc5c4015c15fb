export { type CreateAccountResult, createAccount, type NewAccount } from './create-account.ts'
export { lockFormat, type SlateKind, setDefaultSlate } from './store.ts'
