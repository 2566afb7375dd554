/** The program as one file: what `npm run package` makes the executable of. */
import { dispatch } from './dispatch.ts'
import { VERSION } from './version.ts'

const argv = process.argv.slice(2)
if (argv.length === 1 && argv[0] === '--version') process.stdout.write(`tsspray ${VERSION}\n`)
else dispatch(argv)
