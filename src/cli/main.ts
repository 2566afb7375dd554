/** The program: everything heavy is loaded only when it is needed. */
import { VERSION } from './version.ts'

const argv = process.argv.slice(2)
if (argv.length === 1 && argv[0] === '--version') process.stdout.write(`tsspray ${VERSION}\n`)
else import('./dispatch.ts').then(({ dispatch }) => dispatch(argv))
