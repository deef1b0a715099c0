import js from '@eslint/js';
import i18next from 'eslint-plugin-i18next';
import reactHooks from 'eslint-plugin-react-hooks';
import globals from 'globals';
import tseslint from 'typescript-eslint';

export default tseslint.config(
  { ignores: ['dist', 'node_modules', 'src/api/schema.d.ts'] },
  js.configs.recommended,
  tseslint.configs.strict,
  {
    files: ['**/*.{ts,tsx}'],
    languageOptions: { globals: globals.browser },
    plugins: { 'react-hooks': reactHooks },
    rules: {
      ...reactHooks.configs.recommended.rules,
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { varsIgnorePattern: '^_', ignoreRestSiblings: true }],
      'max-lines': ['error', 300],
      'no-console': 'error',
    },
  },
  {
    // Every text that a person reads comes from a message catalogue.
    files: ['src/**/*.tsx'],
    plugins: { i18next },
    rules: {
      'i18next/no-literal-string': [
        'error',
        {
          mode: 'jsx-only',
          'jsx-attributes': {
            include: ['^label$', '^title$', '^placeholder$', '^description$', '^alt$', '^aria-label$', '^error$', '^.*Label$'],
          },
          words: { exclude: ['[^\\p{L}]*'] },
        },
      ],
    },
  },
  { files: ['scripts/**', '*.js'], languageOptions: { globals: globals.node } },
  { files: ['public/**'], languageOptions: { globals: globals.browser, sourceType: 'script' } },
);
