import { defineConfig } from 'vitest/config'

/** The tests that need the lab's hosts: `npm run lab -- up 3`, then `npm run lab -- in npm run test:lab`. */
export default defineConfig({
  test: { include: ['test/lab/**/*.test.ts'], testTimeout: 60_000, hookTimeout: 60_000, pool: 'threads', maxWorkers: 1 },
})
