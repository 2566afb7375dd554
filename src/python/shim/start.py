"""Reads a bundle from standard input, puts its sources where `import ansible.module_utils` finds them, and runs the module."""
import importlib, importlib.abc, importlib.util, json, sys
R = sys.stdin.buffer.read()
B = json.loads(R.decode())
sys._tsspray_bundle = (R, B['starter'])
S = B['sources']
P = B['package']
S.setdefault(P + '.__init__', '')
class F(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def find_spec(self, name, path=None, target=None):
        if name in S or any(k.startswith(name + '.') for k in S):
            return importlib.util.spec_from_loader(name, self, is_package=any(k.startswith(name + '.') for k in S))
    def create_module(self, spec):
        return None
    def exec_module(self, module):
        name = module.__spec__.name
        exec(compile(S.get(name, ''), name.replace('.', '/') + '.py', 'exec'), module.__dict__)
sys.meta_path.insert(0, F())
import ansible.module_utils.basic as basic
basic._ANSIBLE_ARGS = B['args']
main = sys.modules['__main__']
importlib.import_module(P)
main.__dict__.update(__file__=B['file'], __name__='__main__', __package__=P)
basic.__file__ = B['file']
sys.argv = [B['file']]
exec(compile(B['module'], B['file'], 'exec'), main.__dict__)
