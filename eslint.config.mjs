// Lint rules for every JavaScript and TypeScript file of the project.
import js from '@eslint/js';
import typescript from 'typescript-eslint';

// What Node and browsers both have, and Node's own; named here so that a misspelt global is found.
const globals = (...names) => Object.fromEntries(names.map((name) => [name, 'readonly']));
const kShared = globals(
  'atob',
  'Blob',
  'Buffer',
  'clearTimeout',
  'console',
  'process',
  'setTimeout',
  'TextDecoder',
  'TextEncoder',
  'URL',
  'URLSearchParams',
  'performance',
  'structuredClone',
  'WebAssembly',
  'fetch',
  'Response',
);

export default typescript.config(
  { ignores: ['build/', 'dist/', '.tools/', '**/node_modules/'] },
  js.configs.recommended,
  {
    files: ['**/*.mjs', '**/*.cjs', '**/*.js'],
    languageOptions: { globals: kShared },
    rules: { 'no-unused-vars': ['error', { argsIgnorePattern: '^_' }], eqeqeq: ['error', 'always', { null: 'ignore' }] },
  },
  // Functions given to a page run there.
  {
    files: ['tests/browser/**/*.mjs', 'tests/bench/**/*.mjs'],
    languageOptions: {
      globals: globals(
        'document',
        'ErrorEvent',
        'EventTarget',
        'window',
        'location',
        'innerWidth',
        'getComputedStyle',
        'addEventListener',
        'DataTransfer',
        'File',
        'Event',
        'PerformanceObserver',
        'HTMLElement',
        'matchMedia',
      ),
    },
  },
  {
    files: ['web/src/**/*.ts'],
    extends: [...typescript.configs.strictTypeChecked, ...typescript.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { project: 'web/tsconfig.json', tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      // The page's own promises: nothing it writes may go out.
      'no-restricted-globals': ['error', 'fetch', 'XMLHttpRequest', 'WebSocket', 'EventSource', 'RTCPeerConnection'],
      'no-restricted-properties': ['error', { object: 'navigator', property: 'sendBeacon' }],
      'no-restricted-syntax': [
        'error',
        {
          selector: 'MemberExpression[property.name=/^(innerHTML|outerHTML|insertAdjacentHTML)$/]',
          message: 'Text from outside is only ever text.',
        },
      ],
    },
  },
);
