/// <reference types="vitest/config" />
import { fileURLToPath } from 'node:url';

import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  plugins: [react()],
  resolve: { alias: { '~': here('./src') } },
  build: {
    outDir: here('../src/aloi/api/static'),
    emptyOutDir: true,
    // Nothing is inlined as a data: address, which the content security policy would refuse.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 600,
  },
  server: {
    // The guide that the help shows is a page of the documentation.
    fs: { allow: [here('.'), here('../docs')] },
    proxy: { '/api': { target: process.env.ALOI_DEV_SERVER ?? 'http://127.0.0.1:8000' } },
  },
  test: {
    environment: 'jsdom',
    setupFiles: ['./tests/setup.ts'],
    include: ['tests/**/*.test.{ts,tsx}'],
    css: false,
  },
});
