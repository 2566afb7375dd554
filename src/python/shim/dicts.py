"""ansible.module_utils.common.dict_transformations."""
import re as _re
from copy import deepcopy as _deepcopy

def _snake(name, reversible=False):
    if reversible:
        return _re.sub(r'([A-Z])', r'_\1', name).lstrip('_').lower()
    # the plural of an abbreviation, as in ARNs
    name = _re.sub(r'[A-Z]{3,}s$', lambda found: '_' + found.group().lower(), name).lstrip('_')
    name = _re.sub(r'([A-Z]+)([A-Z][a-z])', r'\1_\2', name)
    return _re.sub(r'([a-z0-9])([A-Z])', r'\1_\2', name).lower()

_camel_to_snake = _snake

def _camel(name, capitalize_first=False):
    words = name.split('_')
    head = words[0].capitalize() if capitalize_first else words[0]
    return head + ''.join(w[:1].upper() + w[1:] for w in words[1:])

_snake_to_camel = _camel

def camel_dict_to_snake_dict(camel_dict, reversible=False, ignore_list=()):
    def value(v):
        if isinstance(v, dict):
            return camel_dict_to_snake_dict(v, reversible)
        if isinstance(v, list):
            return [value(i) for i in v]
        return v
    return dict((_snake(k, reversible), v if k in ignore_list else value(v)) for k, v in camel_dict.items())

def snake_dict_to_camel_dict(snake_dict, capitalize_first=False):
    def value(v):
        if isinstance(v, dict):
            return snake_dict_to_camel_dict(v, capitalize_first)
        if isinstance(v, list):
            return [value(i) for i in v]
        return v
    return dict((_camel(k, capitalize_first), value(v)) for k, v in snake_dict.items())

def dict_merge(a, b):
    if not isinstance(b, dict):
        return b
    result = _deepcopy(a)
    for k, v in b.items():
        result[k] = dict_merge(result[k], v) if isinstance(result.get(k), dict) else _deepcopy(v)
    return result

def recursive_diff(dict1, dict2):
    left = dict((k, v) for k, v in dict1.items() if k not in dict2)
    right = dict((k, v) for k, v in dict2.items() if k not in dict1)
    for k in set(dict1) & set(dict2):
        if isinstance(dict1[k], dict) and isinstance(dict2[k], dict):
            deeper = recursive_diff(dict1[k], dict2[k])
            if deeper:
                left[k], right[k] = deeper
        elif dict1[k] != dict2[k]:
            left[k], right[k] = dict1[k], dict2[k]
    return (left, right) if left or right else None
