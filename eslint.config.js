import reactHooks from 'eslint-plugin-react-hooks';
import tseslint from 'typescript-eslint';

const TEXT_PROPS = 'label|title|placeholder|alt|aria-label|hint|lead|verb|text|message|heading';

const STORAGES = ['localStorage', 'sessionStorage'];
const STORAGE_MESSAGE =
  'It throws if storage is forbidden: use localStore or sessionStore of web/platform/browser-storage.ts.';

/**
 * Biome lints everything. ESLint adds the rules of hooks, which it checks more thoroughly than Biome, and refuses texts
 * of the interface outside their catalogues, and storage that may throw.
 */
export default [
  { ignores: ['**/node_modules/**', 'web/build/**', 'web/.react-router/**'] },
  {
    files: ['web/**/*.{ts,tsx}'],
    languageOptions: { parser: tseslint.parser, parserOptions: { ecmaFeatures: { jsx: true } } },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    ...reactHooks.configs.flat.recommended,
  },
  {
    files: ['web/**/*.{ts,tsx}'],
    ignores: ['web/platform/browser-storage.ts'],
    rules: {
      'no-restricted-globals': ['error', ...STORAGES.map((name) => ({ name, message: STORAGE_MESSAGE }))],
      'no-restricted-properties': ['error', ...STORAGES.map((property) => ({ property, message: STORAGE_MESSAGE }))],
    },
  },
  {
    files: ['web/**/*.tsx'],
    // Developers alone see the gallery of components and the mailbox.
    ignores: ['web/ui/gallery/**', 'web/pages/dev-*', '**/*.test.tsx'],
    rules: {
      'no-restricted-syntax': [
        'error',
        ...[
          ':not(JSXElement[openingElement.name.name=/^(code|kbd)$/]) > JSXText[value=/\\p{L}{2}/u]',
          `JSXAttribute[name.name=/^(${TEXT_PROPS})$/] > Literal[value=/\\p{Lu}.*\\p{L}/u]`,
          `JSXAttribute[name.name=/^(${TEXT_PROPS})$/] > JSXExpressionContainer > ConditionalExpression > Literal[value=/\\p{Lu}.*\\p{L}/u]`,
        ].map((selector) => ({
          selector,
          message: 'Write this text in texts.ts of its module and use it from there.',
        })),
      ],
    },
  },
];
