import reactHooks from 'eslint-plugin-react-hooks';
import tseslint from 'typescript-eslint';

/** Biome lints everything. ESLint only adds the rules of hooks, which it checks more thoroughly than Biome. */
export default [
  { ignores: ['**/node_modules/**', 'web/build/**', 'web/.react-router/**'] },
  {
    files: ['web/**/*.{ts,tsx}'],
    languageOptions: { parser: tseslint.parser, parserOptions: { ecmaFeatures: { jsx: true } } },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    ...reactHooks.configs.flat.recommended,
  },
];
