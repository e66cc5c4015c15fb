/** Whether a webhook that follows these kinds of events gets one of this kind. An asterisk at the end stands for any ending. */
export const followsKind = (filter: readonly string[], kind: string): boolean =>
  filter.some((each) => (each.endsWith('*') ? kind.startsWith(each.slice(0, -1)) : kind === each))
