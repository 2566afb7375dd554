"""ansible.module_utils.six: the names that are left of it on Python 3."""
import builtins as _builtins
import io as _io
import sys as _sys
import types as _types

PY2, PY3, PY34 = False, True, True
string_types, integer_types, class_types, text_type, binary_type = (str,), (int,), (type,), str, bytes
MAXSIZE = _sys.maxsize
StringIO, BytesIO = _io.StringIO, _io.BytesIO
unichr, xrange = chr, range
Iterator = object

def iteritems(d, **kw):
    return iter(d.items(**kw))

def itervalues(d, **kw):
    return iter(d.values(**kw))

def iterkeys(d, **kw):
    return iter(d.keys(**kw))

def b(s):
    return s.encode('latin-1')

def u(s):
    return s

def ensure_str(s, encoding='utf-8', errors='strict'):
    return s.decode(encoding, errors) if isinstance(s, bytes) else s

ensure_text = ensure_str

def ensure_binary(s, encoding='utf-8', errors='strict'):
    return s.encode(encoding, errors) if isinstance(s, str) else s

def with_metaclass(meta, *bases):
    return meta('NewBase', bases or (object,), {})

def add_metaclass(metaclass):
    return lambda cls: metaclass(cls.__name__, cls.__bases__, dict((k, v) for k, v in cls.__dict__.items() if k not in ('__dict__', '__weakref__')))

def raise_from(value, from_value):
    raise value from from_value

def reraise(tp, value, tb=None):
    raise (value if value is not None else tp()).with_traceback(tb)

def python_2_unicode_compatible(cls):
    return cls

def _moves():
    import configparser, http.client, http.cookiejar, http.cookies, pickle, queue, shlex, urllib.error, urllib.parse, urllib.request
    from collections import UserDict
    from functools import reduce
    from itertools import filterfalse, zip_longest
    moves = _types.ModuleType('ansible.module_utils.six.moves')
    moves.__dict__.update(
        builtins=_builtins, configparser=configparser, http_client=http.client, http_cookiejar=http.cookiejar, http_cookies=http.cookies, cPickle=pickle,
        queue=queue, range=range, xrange=range, zip=zip, map=map, filter=filter, input=input, reduce=reduce, filterfalse=filterfalse, zip_longest=zip_longest,
        shlex_quote=shlex.quote, StringIO=_io.StringIO, UserDict=UserDict, urllib=urllib, urllib_parse=urllib.parse, urllib_error=urllib.error,
        urllib_request=urllib.request, reload_module=__import__('importlib').reload, intern=_sys.intern)
    moves.__path__ = []
    name = 'ansible.module_utils.six.moves'
    _sys.modules[name] = moves
    for other, module in (('urllib', urllib), ('urllib.parse', urllib.parse), ('urllib.error', urllib.error), ('urllib.request', urllib.request),
                          ('configparser', configparser), ('http_client', http.client), ('builtins', _builtins), ('queue', queue)):
        _sys.modules['%s.%s' % (name, other)] = module
    return moves

moves = _moves()
