import { defineConfig } from 'vitest/config'
import { pythonAsText } from './test/python-as-text.ts'

export default defineConfig({
  plugins: [pythonAsText],
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/lab/**', 'test/cluster/**'],
    globalSetup: ['test/build.ts'],
    testTimeout: 60_000,
    pool: 'threads',
    maxWorkers: 2,
  },
})
