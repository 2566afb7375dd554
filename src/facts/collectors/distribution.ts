/** Release files → distribution, its version, release and family. */
import { sh } from '../../remote/index.ts'
import type { Collector, Facts } from '../collector.ts'
import { familyOf } from '../distribution/families.ts'
import { distributionFiles } from '../distribution/files.ts'
import { guess } from '../distribution/guess.ts'
import { releaseFiles } from '../distribution/readers.ts'
import type { Look } from '../look.ts'

export const distribution: Collector = {
  name: 'distribution',
  ids: ['distribution_version', 'distribution_release', 'distribution_major_version', 'os_family'],
  requires: [],
  minimal: true,
  script: () => sh`
e ${releaseFiles}
f ${releaseFiles} /etc/debian_version
k /etc/products.d/baseproduct
if [ ! -f /etc/os-release ] && w lsb_release; then c lsb lsb_release -a; fi`,
  parse: (look) => parseDistribution(look),
}

/** The facts of the distribution from its release files. */
export function parseDistribution(look: Look): Facts {
  const facts: Facts = { ...guess(look), ...distributionFiles(look, guess(look)) }
  return { ...facts, os_family: familyOf(String(facts.distribution)) }
}
