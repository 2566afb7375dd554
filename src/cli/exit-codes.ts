/** What the program ends with, and what it means: for the manual and docs/exit-codes.md. */
export const EXIT_CODES = [
  { code: 0, meaning: 'everything went well; failures that were ignored or rescued count as well' },
  {
    code: 1,
    meaning:
      'something other than a task failed: an inventory, a vault, a file, a template outside of tasks, a connection of the program itself',
  },
  { code: 2, meaning: 'tasks failed on at least one host; also: options that cannot be understood' },
  {
    code: 4,
    meaning:
      'hosts could not be reached, whatever happened on others; also: a mistake in a playbook (syntax, keyword, module, parameter), told before any host is touched',
  },
  { code: 5, meaning: 'a wrong option, argument or setting' },
  { code: 99, meaning: 'the run was interrupted: Ctrl-C or SIGTERM' },
  { code: 250, meaning: 'an unexpected error: probably a fault of the program' },
] as const
