/** The failure of copy when the validation of a new file does not pass. */
import type { JsonObject } from '../../base/index.ts'
import { ModuleFailure } from '../api.ts'
import type { Validation } from '../files/install.ts'
import { outputs } from '../files/lines.ts'

export const validationFailure = ({ code, stdout, stderr }: Validation, result: JsonObject): ModuleFailure =>
  new ModuleFailure('failed to validate', { ...result, exit_status: code, ...outputs(stdout, stderr) })
