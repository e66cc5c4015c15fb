export { type CreateAccountResult, createAccount, type NewAccount } from './create-account.ts'
