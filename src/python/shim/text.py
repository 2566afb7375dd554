"""ansible.module_utils.common.text.converters, _text and six in small: text and bytes from either."""
import json as _json

def to_bytes(obj, encoding='utf-8', errors=None, nonstring='simplerepr'):
    if isinstance(obj, bytes):
        return obj
    if isinstance(obj, str):
        return obj.encode(encoding, _errors(errors))
    return _other(obj, nonstring, lambda text: text.encode(encoding, _errors(errors)), b'')

def to_text(obj, encoding='utf-8', errors=None, nonstring='simplerepr'):
    if isinstance(obj, str):
        return obj
    if isinstance(obj, (bytes, bytearray)):
        return bytes(obj).decode(encoding, _errors(errors))
    return _other(obj, nonstring, lambda text: text, '')

to_native = to_text

def _errors(errors):
    return {None: 'surrogateescape', 'surrogate_or_strict': 'surrogateescape', 'surrogate_or_replace': 'surrogateescape',
            'surrogate_then_replace': 'surrogateescape'}.get(errors, errors)

def _other(obj, nonstring, make, empty):
    if nonstring == 'simplerepr':
        try:
            return make(str(obj))
        except UnicodeError:
            return make(repr(obj))
    if nonstring == 'passthru':
        return obj
    if nonstring == 'empty':
        return empty
    raise TypeError('obj must be a string type')

def jsonify(data, **kwargs):
    return _json.dumps(data, default=json_default, **kwargs)

def json_default(obj):
    if isinstance(obj, (bytes, bytearray)):
        return to_text(obj)
    if isinstance(obj, (set, frozenset)):
        return list(obj)
    if hasattr(obj, 'isoformat'):
        return obj.isoformat()
    if hasattr(obj, 'items'):
        return dict(obj.items())
    return str(obj)

def container_to_bytes(d, encoding='utf-8', errors='surrogate_or_strict'):
    return _walk(d, lambda o: to_bytes(o, encoding, errors) if isinstance(o, str) else o)

def container_to_text(d, encoding='utf-8', errors='surrogate_or_strict'):
    return _walk(d, lambda o: to_text(o, encoding, errors) if isinstance(o, bytes) else o)

def _walk(d, leaf):
    if isinstance(d, dict):
        return dict((_walk(k, leaf), _walk(v, leaf)) for k, v in d.items())
    if isinstance(d, (list, tuple)):
        return type(d)(_walk(i, leaf) for i in d)
    return leaf(d)
