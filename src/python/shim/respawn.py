"""ansible.module_utils.common.respawn: a module starts itself anew under another Python."""
import os
import subprocess
import sys

def has_respawned():
    return os.environ.get('_TSSPRAY_RESPAWNED') == '1'

def respawn_module(interpreter_path):
    if has_respawned():
        raise Exception('module has already been respawned')
    bundle, starter = sys._tsspray_bundle
    environment = dict(os.environ, _TSSPRAY_RESPAWNED='1')
    process = subprocess.Popen([interpreter_path, '-c', starter], stdin=subprocess.PIPE, env=environment)
    process.communicate(bundle)
    sys.exit(process.returncode)

def probe_interpreters_for_module(interpreter_paths, module_name):
    for path in interpreter_paths:
        if not os.path.exists(path):
            continue
        try:
            if subprocess.call([path, '-c', 'import %s' % module_name], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) == 0:
                return path
        except OSError:
            continue
    return None
