"""ansible.module_utils.common.process, locale and sys_info in small."""
import os as _os
import platform as _platform

def get_bin_path(arg, opt_dirs=None, required=None):
    folders = [d for d in opt_dirs or [] if d and _os.path.exists(d)]
    folders += _os.environ.get('PATH', '').split(_os.pathsep)
    folders += [d for d in ('/sbin', '/usr/sbin', '/usr/local/sbin') if d not in folders]
    candidates = [arg] if '/' in arg else [_os.path.join(d, arg) for d in folders if d]
    for path in candidates:
        if _os.path.exists(path) and not _os.path.isdir(path) and _os.access(path, _os.X_OK):
            return path
    raise ValueError('Failed to find required executable "%s" in paths: %s' % (arg, _os.pathsep.join(folders)))

def get_best_parsable_locale(module, preferences=None, raise_on_locale=False):
    return 'C'

def _release():
    found = {}
    for path in ('/etc/os-release', '/usr/lib/os-release'):
        if _os.path.exists(path):
            with open(path) as f:
                for line in f:
                    if '=' in line:
                        k, v = line.rstrip().split('=', 1)
                        found[k] = v.strip('"\'')
            break
    return found

def get_distribution():
    if _platform.system() != 'Linux':
        return _platform.system().capitalize()
    name = _release().get('ID', 'OtherLinux')
    return {'amzn': 'Amazon', 'rhel': 'Redhat', 'redhat': 'Redhat'}.get(name, name.capitalize())

def get_distribution_version():
    return _release().get('VERSION_ID', '') if _platform.system() == 'Linux' else None

def get_distribution_codename():
    return _release().get('VERSION_CODENAME') or None

def get_platform():
    return _platform.system()

def get_platform_subclass(cls):
    distribution = get_distribution() if _platform.system() == 'Linux' else None
    subclasses, queue = [], [cls]
    while queue:
        for sub in queue.pop().__subclasses__():
            subclasses.append(sub)
            queue.append(sub)
    for wanted in (distribution, None):
        for sub in subclasses:
            if getattr(sub, 'distribution', None) == wanted and getattr(sub, 'platform', None) == _platform.system():
                return sub
    return cls
