"""ansible.module_utils.common.{file,parameters,warnings,respawn,arg_spec,network}, compat and errors in small: names that modules import."""
import re as _re

from ansible.module_utils.basic import FILE_COMMON_ARGUMENTS, env_fallback, remove_values, sanitize_keys  # noqa: F401
from ansible.module_utils.basic import _global_deprecations, _global_warnings

def warn(warning):
    _global_warnings.append(warning)

def deprecate(msg, version=None, date=None, collection_name=None):
    _global_deprecations.append(dict(msg=msg, version=version, date=date, collection_name=collection_name))

def get_warning_messages():
    return tuple(_global_warnings)

def get_deprecation_messages():
    return tuple(_global_deprecations)

class AnsibleValidationError(Exception):
    pass

class AnsibleFallbackNotFound(Exception):
    pass

class LooseVersion(object):
    """A version by its parts: numbers as numbers, letters as text."""
    def __init__(self, vstring=None):
        self.vstring = str(vstring)
        self.version = [int(p) if p.isdigit() else p for p in _re.split(r'(\d+|[a-z]+|\.)', self.vstring) if p and p != '.']

    def __str__(self):
        return self.vstring

    def __repr__(self):
        return "LooseVersion ('%s')" % self.vstring

    def _cmp(self, other):
        other = other if isinstance(other, LooseVersion) else LooseVersion(other)
        return 0 if self.version == other.version else -1 if self.version < other.version else 1

    def __eq__(self, other):
        return self._cmp(other) == 0

    def __lt__(self, other):
        return self._cmp(other) < 0

    def __le__(self, other):
        return self._cmp(other) <= 0

    def __gt__(self, other):
        return self._cmp(other) > 0

    def __ge__(self, other):
        return self._cmp(other) >= 0

StrictVersion = Version = LooseVersion
