/** Settings: the inventory and the facts kept between runs. One row each: type(default, ini keys, environment, what it is). */
import { bool, int, list, maybeStr, pathlist, str } from '../kinds.ts'

export const inventory = {
  DEFAULT_HOST_LIST: pathlist(['/etc/ansible/hosts'], ['defaults.inventory'], ['ANSIBLE_INVENTORY'], 'inventory sources'),
  INVENTORY_ENABLED: list(
    ['host_list', 'script', 'auto', 'yaml', 'ini', 'toml'],
    ['inventory.enable_plugins'],
    ['ANSIBLE_INVENTORY_ENABLED'],
    'ways of reading an inventory, in the order they are tried',
  ),
  INVENTORY_ANY_UNPARSED_IS_FAILED: bool(
    false,
    ['inventory.any_unparsed_is_failed'],
    ['ANSIBLE_INVENTORY_ANY_UNPARSED_IS_FAILED'],
    'whether one unreadable source is an error',
  ),
  INVENTORY_UNPARSED_IS_FAILED: bool(
    false,
    ['inventory.unparsed_is_failed'],
    ['ANSIBLE_INVENTORY_UNPARSED_FAILED'],
    'whether it is an error when no source can be read',
  ),
  INVENTORY_UNPARSED_WARNING: bool(
    true,
    ['inventory.inventory_unparsed_warning'],
    ['ANSIBLE_INVENTORY_UNPARSED_WARNING'],
    'whether an inventory without hosts is warned about',
  ),
  INVENTORY_IGNORE_EXTS: list(
    ['.pyc', '.pyo', '.swp', '.bak', '~', '.rpm', '.md', '.txt', '.rst', '.orig', '.ini', '.cfg', '.retry'],
    ['defaults.inventory_ignore_extensions', 'inventory.ignore_extensions'],
    ['ANSIBLE_INVENTORY_IGNORE'],
    'endings of files in an inventory folder that are passed over',
  ),
  INVENTORY_IGNORE_PATTERNS: list(
    [],
    ['defaults.inventory_ignore_patterns', 'inventory.ignore_patterns'],
    ['ANSIBLE_INVENTORY_IGNORE_REGEX'],
    'patterns of names in an inventory folder that are passed over',
  ),
  INVENTORY_EXPORT: bool(false, ['inventory.export'], ['ANSIBLE_INVENTORY_EXPORT'], 'whether the inventory is shown as it was written'),
  INVENTORY_USE_EXTRA_VARS: bool(
    false,
    ['inventory_plugins.use_extra_vars'],
    ['ANSIBLE_INVENTORY_USE_EXTRA_VARS'],
    'whether constructed inventories see the variables of the command line',
  ),
  INVENTORY_CACHE_ENABLED: bool(
    false,
    ['inventory.cache'],
    ['ANSIBLE_INVENTORY_CACHE'],
    'whether dynamic inventories are kept between runs',
  ),
  INVENTORY_CACHE_PLUGIN: maybeStr(['inventory.cache_plugin'], ['ANSIBLE_INVENTORY_CACHE_PLUGIN'], 'how they are kept'),
  INVENTORY_CACHE_PLUGIN_CONNECTION: maybeStr(
    ['inventory.cache_connection'],
    ['ANSIBLE_INVENTORY_CACHE_CONNECTION'],
    'where they are kept',
  ),
  INVENTORY_CACHE_PLUGIN_PREFIX: str(
    'ansible_inventory_',
    ['inventory.cache_prefix'],
    ['ANSIBLE_INVENTORY_CACHE_PLUGIN_PREFIX'],
    'what the names of kept inventories begin with',
  ),
  INVENTORY_CACHE_TIMEOUT: int(3600, ['inventory.cache_timeout'], ['ANSIBLE_INVENTORY_CACHE_TIMEOUT'], 'seconds they are good for'),
  HOST_PATTERN_MISMATCH: str(
    'warning',
    ['inventory.host_pattern_mismatch'],
    ['ANSIBLE_HOST_PATTERN_MISMATCH'],
    'what happens when a host pattern matches nothing',
    ['error', 'warning', 'ignore'],
  ),
  TRANSFORM_INVALID_GROUP_CHARS: str(
    'never',
    ['defaults.force_valid_group_names'],
    ['ANSIBLE_TRANSFORM_INVALID_GROUP_CHARS'],
    'what happens to group names that are no variable names',
    ['always', 'never', 'ignore', 'silently'],
  ),
  LOCALHOST_WARNING: bool(
    true,
    ['defaults.localhost_warning'],
    ['ANSIBLE_LOCALHOST_WARNING'],
    'whether running on the implicit localhost alone is warned about',
  ),
  CACHE_PLUGIN: str('memory', ['defaults.fact_caching'], ['ANSIBLE_CACHE_PLUGIN'], 'how facts are kept'),
  CACHE_PLUGIN_CONNECTION: maybeStr(['defaults.fact_caching_connection'], ['ANSIBLE_CACHE_PLUGIN_CONNECTION'], 'where facts are kept'),
  CACHE_PLUGIN_PREFIX: str(
    'ansible_facts',
    ['defaults.fact_caching_prefix'],
    ['ANSIBLE_CACHE_PLUGIN_PREFIX'],
    'what the names of kept facts begin with',
  ),
  CACHE_PLUGIN_TIMEOUT: int(
    86400,
    ['defaults.fact_caching_timeout'],
    ['ANSIBLE_CACHE_PLUGIN_TIMEOUT'],
    'seconds kept facts are good for; 0 for ever',
  ),
} as const
