import { defineConfig } from 'vitest/config'
import { pythonAsText } from './test/python-as-text.ts'

/** The tests that need the lab's hosts: `npm run lab -- up 3`, then `npm run lab -- in npm run test:lab`. */
export default defineConfig({
  plugins: [pythonAsText],
  test: { include: ['test/lab/**/*.test.ts'], testTimeout: 60_000, hookTimeout: 60_000, pool: 'threads', maxWorkers: 1 },
})
