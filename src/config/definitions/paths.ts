/** Settings: where things lie. One row each: type(default, ini keys, environment, what it is). */
import { bool, list, maybePath, path, pathspec, str } from '../kinds.ts'

export const paths = {
  ANSIBLE_HOME: path('~/.ansible', ['defaults.home'], ['ANSIBLE_HOME'], 'the folder for everything a user keeps'),
  COLLECTIONS_PATHS: pathspec(
    ['{{ANSIBLE_HOME}}/collections', '/usr/share/ansible/collections'],
    ['defaults.collections_paths', 'defaults.collections_path'],
    ['ANSIBLE_COLLECTIONS_PATHS', 'ANSIBLE_COLLECTIONS_PATH'],
    'folders collections are looked for in',
  ),
  DEFAULT_ROLES_PATH: pathspec(
    ['{{ANSIBLE_HOME}}/roles', '/usr/share/ansible/roles', '/etc/ansible/roles'],
    ['defaults.roles_path'],
    ['ANSIBLE_ROLES_PATH'],
    'folders roles are looked for in, after the ones beside the playbook',
  ),
  DEFAULT_MODULE_PATH: pathspec(
    ['{{ANSIBLE_HOME}}/plugins/modules', '/usr/share/ansible/plugins/modules'],
    ['defaults.library'],
    ['ANSIBLE_LIBRARY'],
    'folders modules are looked for in',
  ),
  DEFAULT_MODULE_UTILS_PATH: pathspec(
    ['{{ANSIBLE_HOME}}/plugins/module_utils', '/usr/share/ansible/plugins/module_utils'],
    ['defaults.module_utils'],
    ['ANSIBLE_MODULE_UTILS'],
    'folders code shared by modules is looked for in',
  ),
  DEFAULT_ACTION_PLUGIN_PATH: pathspec(
    ['{{ANSIBLE_HOME}}/plugins/action', '/usr/share/ansible/plugins/action'],
    ['defaults.action_plugins'],
    ['ANSIBLE_ACTION_PLUGINS'],
    'folders of action plugins',
  ),
  DEFAULT_CALLBACK_PLUGIN_PATH: pathspec(
    ['{{ANSIBLE_HOME}}/plugins/callback', '/usr/share/ansible/plugins/callback'],
    ['defaults.callback_plugins'],
    ['ANSIBLE_CALLBACK_PLUGINS'],
    'folders of callback plugins',
  ),
  DEFAULT_CONNECTION_PLUGIN_PATH: pathspec(
    ['{{ANSIBLE_HOME}}/plugins/connection', '/usr/share/ansible/plugins/connection'],
    ['defaults.connection_plugins'],
    ['ANSIBLE_CONNECTION_PLUGINS'],
    'folders of connection plugins',
  ),
  DEFAULT_FILTER_PLUGIN_PATH: pathspec(
    ['{{ANSIBLE_HOME}}/plugins/filter', '/usr/share/ansible/plugins/filter'],
    ['defaults.filter_plugins'],
    ['ANSIBLE_FILTER_PLUGINS'],
    'folders of filter plugins',
  ),
  DEFAULT_LOOKUP_PLUGIN_PATH: pathspec(
    ['{{ANSIBLE_HOME}}/plugins/lookup', '/usr/share/ansible/plugins/lookup'],
    ['defaults.lookup_plugins'],
    ['ANSIBLE_LOOKUP_PLUGINS'],
    'folders of lookup plugins',
  ),
  DEFAULT_TEST_PLUGIN_PATH: pathspec(
    ['{{ANSIBLE_HOME}}/plugins/test', '/usr/share/ansible/plugins/test'],
    ['defaults.test_plugins'],
    ['ANSIBLE_TEST_PLUGINS'],
    'folders of test plugins',
  ),
  DEFAULT_INVENTORY_PLUGIN_PATH: pathspec(
    ['{{ANSIBLE_HOME}}/plugins/inventory', '/usr/share/ansible/plugins/inventory'],
    ['defaults.inventory_plugins'],
    ['ANSIBLE_INVENTORY_PLUGINS'],
    'folders of inventory plugins',
  ),
  DEFAULT_STRATEGY_PLUGIN_PATH: pathspec(
    ['{{ANSIBLE_HOME}}/plugins/strategy', '/usr/share/ansible/plugins/strategy'],
    ['defaults.strategy_plugins'],
    ['ANSIBLE_STRATEGY_PLUGINS'],
    'folders of strategy plugins',
  ),
  DEFAULT_VARS_PLUGIN_PATH: pathspec(
    ['{{ANSIBLE_HOME}}/plugins/vars', '/usr/share/ansible/plugins/vars'],
    ['defaults.vars_plugins'],
    ['ANSIBLE_VARS_PLUGINS'],
    'folders of vars plugins',
  ),
  DEFAULT_CACHE_PLUGIN_PATH: pathspec(
    ['{{ANSIBLE_HOME}}/plugins/cache', '/usr/share/ansible/plugins/cache'],
    ['defaults.cache_plugins'],
    ['ANSIBLE_CACHE_PLUGINS'],
    'folders of cache plugins',
  ),
  BECOME_PLUGIN_PATH: pathspec(
    ['{{ANSIBLE_HOME}}/plugins/become', '/usr/share/ansible/plugins/become'],
    ['defaults.become_plugins'],
    ['ANSIBLE_BECOME_PLUGINS'],
    'folders of become plugins',
  ),
  DEFAULT_LOCAL_TMP: path(
    '{{ANSIBLE_HOME}}/tmp',
    ['defaults.local_tmp'],
    ['ANSIBLE_LOCAL_TEMP'],
    'folder for temporary files on the controller',
  ),
  DEFAULT_LOG_PATH: maybePath(['defaults.log_path'], ['ANSIBLE_LOG_PATH'], 'a file that everything shown is also written to'),
  PLAYBOOK_DIR: maybePath(
    ['defaults.playbook_dir'],
    ['ANSIBLE_PLAYBOOK_DIR'],
    'a folder that stands for the playbook’s where there is no playbook',
  ),
  EDITOR: str('vi', ['defaults.editor'], ['ANSIBLE_EDITOR', 'EDITOR'], 'the program that edits vaulted files'),
  PAGER: str('less', ['defaults.pager'], ['ANSIBLE_PAGER', 'PAGER'], 'the program that shows long texts'),
  YAML_FILENAME_EXTENSIONS: list(
    ['.yml', '.yaml', '.json'],
    ['defaults.yaml_valid_extensions'],
    ['ANSIBLE_YAML_FILENAME_EXT'],
    'endings of files that are read as YAML',
  ),
  COLLECTIONS_ON_ANSIBLE_VERSION_MISMATCH: str(
    'warning',
    ['defaults.collections_on_ansible_version_mismatch'],
    ['ANSIBLE_COLLECTIONS_ON_ANSIBLE_VERSION_MISMATCH'],
    'what happens when a collection asks for another release',
    ['error', 'warning', 'ignore'],
  ),
  COLLECTIONS_SCAN_SYS_PATH: bool(
    true,
    ['defaults.collections_scan_sys_path'],
    ['ANSIBLE_COLLECTIONS_SCAN_SYS_PATH'],
    'whether collections are looked for among Python’s packages',
  ),
} as const
