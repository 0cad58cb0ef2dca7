import { parse, type AST } from 'svelte/compiler'

/** The attributes that people see or hear. */
const SPOKEN = ['aria-label', 'aria-description', 'aria-roledescription', 'alt', 'title', 'placeholder']
const isWord = (text: string) => /\p{L}{2}/u.test(text)

/** The words that a component's markup says without asking for a text. */
export function literals(source: string): string[] {
  const found: string[] = []
  const look = (node: unknown): void => {
    if (Array.isArray(node)) return node.forEach(look)
    if (typeof node !== 'object' || node === null) return
    const { type } = node as { type?: string }
    if (type === 'Text' && isWord((node as AST.Text).data)) found.push((node as AST.Text).data.trim())
    if (type === 'Attribute' && !SPOKEN.includes((node as AST.Attribute).name)) return
    if (type === 'StyleDirective' || type === 'ExpressionTag') return // no words for people, or words of the program
    Object.values(node).forEach(look)
  }
  look(parse(source, { modern: true }).fragment)
  return found
}
