import js from '@eslint/js'
import svelte from 'eslint-plugin-svelte'
import globals from 'globals'
import ts from 'typescript-eslint'
import svelteConfig from './svelte.config.js'

export default ts.config(
  // protocol.ts and types.ts are made by python -m whodunit.server.protocol_schema.
  { ignores: ['node_modules/', 'src/lib/protocol.ts', 'src/games/*/types.ts'] },
  js.configs.recommended,
  ...ts.configs.strict,
  ...svelte.configs.recommended,
  { languageOptions: { globals: globals.browser } },
  {
    files: ['**/*.svelte', '**/*.svelte.ts'],
    languageOptions: { parserOptions: { parser: ts.parser, extraFileExtensions: ['.svelte'], svelteConfig } },
  },
  {
    rules: {
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      'no-restricted-syntax': [
        'error',
        {
          // style-src 'self' refuses them at run time; style:prop={...} goes through the CSSOM and is fine.
          selector: 'SvelteAttribute[key.name="style"]',
          message: 'The content security policy refuses style attributes: use a class or style:prop.',
        },
      ],
      'svelte/no-at-html-tags': 'error',
      // Our router reads plain paths; there is no SvelteKit here.
      'svelte/no-navigation-without-resolve': 'off',
    },
  },
  { files: ['*.config.{js,ts}'], languageOptions: { globals: globals.node } },
  { files: ['public/sw.js'], languageOptions: { globals: globals.serviceworker } },
)
