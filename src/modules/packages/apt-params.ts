/** The parameters of apt. */
import { type Args, bool, choice, fallback, int, list, path, str } from '../../params/index.ts'

export const params = {
  state: choice(['absent', 'build-dep', 'fixed', 'latest', 'present'], 'present'),
  update_cache: bool({ aliases: ['update-cache'] }),
  update_cache_retries: fallback(int(), 5),
  update_cache_retry_max_delay: fallback(int(), 12),
  cache_valid_time: fallback(int(), 0),
  purge: fallback(bool(), false),
  package: list('str', { aliases: ['pkg', 'name'] }),
  deb: path(),
  default_release: str({ aliases: ['default-release'] }),
  install_recommends: bool({ aliases: ['install-recommends'] }),
  force: fallback(bool(), false),
  upgrade: choice(['dist', 'full', 'no', 'safe', 'yes'], 'no'),
  dpkg_options: fallback(str(), 'force-confdef,force-confold'),
  autoremove: fallback(bool(), false),
  autoclean: fallback(bool(), false),
  fail_on_autoremove: fallback(bool(), false),
  policy_rc_d: int(),
  only_upgrade: fallback(bool(), false),
  force_apt_get: fallback(bool(), false),
  clean: fallback(bool(), false),
  allow_unauthenticated: fallback(bool({ aliases: ['allow-unauthenticated'] }), false),
  allow_downgrade: fallback(bool({ aliases: ['allow-downgrade', 'allow_downgrades', 'allow-downgrades'] }), false),
  allow_change_held_packages: fallback(bool(), false),
  lock_timeout: fallback(int(), 60),
} as const

/** checked arguments of apt */
export type AptArgs = Args<typeof params>
