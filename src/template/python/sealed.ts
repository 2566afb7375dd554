/** A sealed text that is to be written as it was sealed; only the YAML dumper meets it. */
import { PyObject } from './object.ts'

export class SealedText extends PyObject {
  readonly typeName = 'AnsibleVaultEncryptedUnicode'
  constructor(readonly ciphertext: string) {
    super()
  }
  override str(): string {
    return this.ciphertext
  }
}
