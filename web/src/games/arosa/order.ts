/** The same things with one of them put into another place. */
export function moved<T>(order: readonly T[], from: number, to: number): T[] {
  const rest = order.filter((_, place) => place !== from)
  return [...rest.slice(0, to), order[from] as T, ...rest.slice(to)]
}
