/** What stands in a file of the site; nothing where there is none. */
export async function read<T = Readonly<Record<string, string>>>(url: string | undefined): Promise<T> {
  if (!url) return {} as T
  const response = await fetch(url)
  if (!response.ok) throw new Error(`${url}: ${response.status}`)
  return (await response.json()) as T
}
