export {
  type Account,
  findAccountId,
  getAccount,
  isDefaultSlate,
  listAccounts,
} from './store.ts'
