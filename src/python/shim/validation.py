"""ansible.module_utils.common.validation, parsing.convert_bool and formatters: checks and coercions of arguments."""
import ast as _ast
import json as _json
import os as _os
import re as _re

BOOLEANS_TRUE = frozenset(('y', 'yes', 'on', '1', 'true', 't', 1, 1.0, True))
BOOLEANS_FALSE = frozenset(('n', 'no', 'off', '0', 'false', 'f', 0, 0.0, False))
BOOLEANS = BOOLEANS_TRUE | BOOLEANS_FALSE

def boolean(value, strict=True):
    if isinstance(value, bool):
        return value
    known = value.lower().strip() if isinstance(value, str) else value
    try:
        if known in BOOLEANS_TRUE:
            return True
        if known in BOOLEANS_FALSE or not strict:
            return False
    except TypeError:
        pass
    raise TypeError("The value '%s' is not a valid boolean.  Valid booleans include: %s"
                    % (value, ', '.join(repr(i) for i in sorted(BOOLEANS, key=str))))

_UNITS = {'Y': 80, 'Z': 70, 'E': 60, 'P': 50, 'T': 40, 'G': 30, 'M': 20, 'K': 10, 'B': 0}

def human_to_bytes(number, default_unit=None, isbits=False):
    match = _re.match(r'^\s*(\d*\.?\d*)\s*([A-Za-z]+)?', str(number))
    if match is None or not match.group(1):
        raise ValueError("human_to_bytes() can't interpret following string: %s" % number)
    unit = match.group(2) or default_unit
    if unit is None:
        return int(round(float(match.group(1))))
    if unit[0].upper() not in _UNITS:
        raise ValueError("human_to_bytes() failed to convert %s (unit = %s). The suffix must be one of %s"
                         % (number, unit, ', '.join(_UNITS)))
    return int(round(float(match.group(1)) * 2 ** _UNITS[unit[0].upper()]))

def bytes_to_human(size, isbits=False, unit=None):
    base = 'bits' if isbits else 'Bytes'
    for suffix, power in _UNITS.items():
        if (unit is None and size >= 2 ** power) or (unit is not None and unit.upper() == suffix):
            break
    shown = base if power == 0 else suffix + base[0]
    return '%.2f %s' % (size / 2 ** power, shown)

def lenient_lowercase(lst):
    return [value.lower() if hasattr(value, 'lower') else value for value in lst] if not isinstance(lst, str) else lst.lower()

def safe_eval(value, locals=None, include_exceptions=False):
    try:
        result, error = (_ast.literal_eval(value) if isinstance(value, str) else value), None
    except Exception as e:
        result, error = value, e
    return (result, error) if include_exceptions else result

def check_type_str(value, allow_conversion=True, param=None, prefix=''):
    if isinstance(value, str):
        return value
    if allow_conversion and value is not None:
        return str(value)
    raise TypeError("'{0!r}' is not a string and conversion is not allowed".format(value))

def check_type_list(value):
    if isinstance(value, list):
        return value
    if isinstance(value, str):
        return value.split(',')
    if isinstance(value, (int, float)):
        return [str(value)]
    raise TypeError('%s cannot be converted to a list' % type(value))

def check_type_dict(value):
    if isinstance(value, dict):
        return value
    if isinstance(value, str):
        if value.startswith('{'):
            try:
                return _json.loads(value)
            except Exception:
                result = safe_eval(value)
                if isinstance(result, dict):
                    return result
                raise TypeError('unable to evaluate string as dictionary')
        if '=' in value:
            fields = [f.strip() for f in _re.split(r''',(?=(?:[^"']|"[^"]*"|'[^']*')*$)|\s+(?=[^\s=]+=)''', value) if f and f.strip()]
            pairs = [f.split('=', 1) for f in fields]
            if all(len(p) == 2 for p in pairs):
                return dict((k.strip(), v.strip().strip('"\'')) for k, v in pairs)
        raise TypeError('dictionary requested, could not parse JSON or key=value')
    raise TypeError('%s cannot be converted to a dict' % type(value))

def check_type_bool(value):
    if isinstance(value, (str, int, float)):
        return boolean(value)
    raise TypeError('%s cannot be converted to a bool' % type(value))

def check_type_int(value):
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    if isinstance(value, (str, float, bool)):
        try:
            number = float(value)
            if int(number) == number:
                return int(str(value)) if isinstance(value, str) and '.' not in value and 'e' not in value.lower() else int(number)
        except ValueError:
            pass
    raise TypeError('"%r" cannot be converted to an int' % (value,))

def check_type_float(value):
    if isinstance(value, float):
        return value
    if isinstance(value, (bytes, str, int)):
        try:
            return float(value)
        except ValueError:
            pass
    raise TypeError('%s cannot be converted to a float' % type(value))

def check_type_path(value):
    return _os.path.expanduser(_os.path.expandvars(check_type_str(value)))

def check_type_raw(value):
    return value

def check_type_bytes(value):
    try:
        return human_to_bytes(value)
    except ValueError:
        raise TypeError('%s cannot be converted to a Byte value' % type(value))

check_type_bits = check_type_bytes

def check_type_jsonarg(value):
    if isinstance(value, (str, bytes)):
        return value.strip()
    if isinstance(value, (list, tuple, dict)):
        return _json.dumps(value)
    raise TypeError('%s cannot be converted to a json string' % type(value))

def check_mutually_exclusive(terms, parameters, options_context=None):
    found = [c for c in _groups(terms) if sum(1 for t in c if parameters.get(t) is not None) > 1]
    if found:
        raise TypeError(_where('parameters are mutually exclusive: %s' % ', '.join('|'.join(c) for c in found), options_context))
    return found

def check_required_one_of(terms, parameters, options_context=None):
    missing = [c for c in _groups(terms) if all(parameters.get(t) is None for t in c)]
    for c in missing:
        raise TypeError(_where('one of the following is required: %s' % ', '.join(c), options_context))
    return missing

def check_required_together(terms, parameters, options_context=None):
    for c in _groups(terms):
        here = [parameters.get(t) is not None for t in c]
        if any(here) and not all(here):
            raise TypeError(_where('parameters are required together: %s' % ', '.join(c), options_context))
    return []

def check_required_by(requirements, parameters, options_context=None):
    result = {}
    for key, needed in (requirements or {}).items():
        if parameters.get(key) is None:
            continue
        names = [needed] if isinstance(needed, str) else needed
        result[key] = [n for n in names if parameters.get(n) is None]
        if result[key]:
            raise TypeError(_where("missing parameter(s) required by '%s': %s" % (key, ', '.join(result[key])), options_context))
    return result

def check_required_if(requirements, parameters, options_context=None):
    for rule in requirements or []:
        key, value, names = rule[0], rule[1], rule[2]
        any_of = rule[3] if len(rule) > 3 else False
        if parameters.get(key) != value:
            continue
        missing = [n for n in names if parameters.get(n) is None]
        if (any_of and len(missing) >= len(names)) or (not any_of and missing):
            what = 'any' if any_of else 'all'
            raise TypeError(_where('%s is %s but %s of the following are missing: %s' % (key, value, what, ', '.join(missing)), options_context))
    return []

def check_required_arguments(argument_spec, parameters, options_context=None):
    missing = [k for k, v in (argument_spec or {}).items() if v.get('required') and k not in parameters]
    if missing:
        raise TypeError(_where('missing required arguments: %s' % ', '.join(sorted(missing)), options_context))
    return missing

def check_missing_parameters(parameters, required_parameters=None):
    missing = [p for p in required_parameters or [] if not parameters.get(p)]
    if missing:
        raise TypeError('missing required arguments: %s' % ', '.join(missing))
    return missing

def _groups(terms):
    if not terms:
        return []
    return [terms] if isinstance(terms[0], str) else terms

def _where(message, context):
    return '%s found in %s' % (message, ' -> '.join(context)) if context else message
