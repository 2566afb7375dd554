"""ansible.module_utils.common.collections: what kind of collection a thing is."""
from collections.abc import Hashable, Iterable, Mapping, MutableMapping, Sequence, Set, MutableSequence, MutableSet, Container, KeysView  # noqa: F401

def is_string(seq):
    return isinstance(seq, (str, bytes))

def is_iterable(seq, include_strings=False):
    return (include_strings or not is_string(seq)) and isinstance(seq, Iterable)

def is_sequence(seq, include_strings=False):
    return (include_strings or not is_string(seq)) and isinstance(seq, Sequence)

def count(seq):
    if not is_iterable(seq):
        raise Exception('Argument provided  is not an iterable')
    counts = {}
    for item in seq:
        counts[item] = counts.get(item, 0) + 1
    return counts

class ImmutableDict(Hashable, Mapping):
    def __init__(self, *args, **kwargs):
        self._store = dict(*args, **kwargs)

    def __getitem__(self, key):
        return self._store[key]

    def __iter__(self):
        return iter(self._store)

    def __len__(self):
        return len(self._store)

    def __hash__(self):
        return hash(frozenset(self._store.items()))

    def __eq__(self, other):
        return isinstance(other, Hashable) and hash(self) == hash(other)

    def union(self, other):
        return ImmutableDict(self._store, **dict(other))

    def difference(self, keys):
        return ImmutableDict((k, v) for k, v in self._store.items() if k not in set(keys))
