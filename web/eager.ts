import type { Plugin } from 'vite'

const HINT = '//# allFunctionsCalledOnLoad\n'

/**
 * Has browsers compile scripts while they come, beside the page, and not function by function in the middle of building
 * it: what is loaded is about to be shown, and the rest is in files of its own. Who does not know the hint reads a comment.
 */
export function eager(): Plugin {
  return {
    name: 'eager',
    apply: 'build',
    generateBundle: {
      order: 'post', // it counts in the first line only, and Vite adds lines of its own
      handler(_, bundle) {
        for (const file of Object.values(bundle)) if (file.type === 'chunk') file.code = HINT + file.code
      },
    },
  }
}
