#!/usr/bin/python3
"""Records what Ansible's YAML dumper and Python's json write for tricky values, for test/unit/template/dump.test.ts. An argument gives more random cases, on stdout."""
import json
import os
import random
import sys

import yaml
from ansible.parsing.yaml.dumper import AnsibleDumper

WORDS = [
    "", " ", "a", "a b", " a", "a ", "yes", "No", "on", "OFF", "y", "n", "true", "True", "null", "~", "Null", "nUll", "1", "01", "0o10", "0x1f", "1_000", "1:30", "12:30:45", "1.5", "1.", ".5", "1e3", "1.0e+3", "1e+3", ".inf", "-.INF", ".nan",
    "+1", "-", "- a", "-a", "?", "? a", "?a", ":", ": a", ":a", "a:", "a: b", "a:b", "a #b", "a#b", "#a", "&a", "*a", "!a", "!", "|", ">", "%a", "@a", "`a", "'", "''", "a'b", "\"", "a\"b", "[a", "a]", "{a", "a}", "a,b", ",a", "=", "<<", "<", "---", "--- a", "...", "a---",
    "2024-01-02", "2024-01-02 10:00:00", "2024-1-2", "a\nb", "a\n", "\na", "a\n\nb", "a\n b", "a \nb", "\n", "\n\n", "  \n", "a\tb", "\t", "tab\t\nx", "é", "日本", "😀", "a😀b", "\u00a0", "\u0085", "\u2028x", "\x07", "\x00", "\x1b[0m", "\\", "a\\nb", "C:\\dir", "\ufeff", "\r", "a\r\nb",
    "x" * 100, "lorem ipsum dolor sit amet consectetur adipiscing elit sed do eiusmod tempor incididunt ut labore et dolore magna aliqua", "lorem ipsum dolor sit amet consectetur: adipiscing elit sed do eiusmod tempor incididunt  ut labore et  dolore magna aliqua # x",
    "yes it is: a long text that has to be quoted since it holds a colon and a blank, and folded too since it is long, isn't it? 'yes'", "esc\taped text that goes on and on past the width of the page so that it must be folded somewhere near here   and there \u0001 and more",
    "first line of several\nsecond line that is long enough to be folded when it stands in a quoted text of more than eighty characters\n\nthird", "k" * 127, "k" * 128, "k" * 129, "10.0.0.1", "10.0.0.0/24", "::1", "fe80::1", "{{ x }}", "{% x %}", "0", "00", "08", "0b1", "1,000", "%", "a%", "-1", "- ", "--", "é" * 70, "a: 'b'", "it's", "trailing:", "x: y\nz: w\n",
]
OPTIONS = [
    {}, {"default_flow_style": False, "indent": 4}, {"default_flow_style": False, "indent": 2}, {"default_flow_style": False, "indent": 10}, {"default_flow_style": True}, {"width": 1337, "indent": 2}, {"width": 20}, {"width": 5}, {"sort_keys": False, "default_flow_style": False},
    {"explicit_start": True}, {"explicit_start": True, "explicit_end": True, "default_flow_style": False}, {"allow_unicode": False}, {"width": -1}, {"indent": 6, "width": 40, "default_flow_style": False},
]
JSON_OPTIONS = [{}, {"indent": 4, "sort_keys": True, "separators": [",", ": "]}, {"indent": 2}, {"ensure_ascii": False}, {"separators": [",", ":"]}, {"indent": 0}, {"sort_keys": True}]


def fixed_values():
    yield from WORDS
    yield WORDS
    yield {word: word for word in WORDS}
    yield [None, True, False, 0, -1, 12345678901234567890, 2**53, 10**30]
    yield {"f": [0.1, 1.0, -0.0, 1e20, 1e16, 1e-7, 123456.789, 1.5e300]}
    yield [], {}, [[]], [{}], {"a": []}, {"a": {}}
    yield {"a": [1, 2], "b": {"c": [3, {"d": 4}], "e": []}}, [[1, [2, [3]]], {"a": [{"b": 1}]}], [{"a": 1, "b": 2}, {"c": [1]}], {"b": 1, "a": {"z": 1, "y": [{"q": None}]}}
    shared = ["s", {"t": 1}]
    yield {"one": shared, "two": shared, "three": [shared, shared[1]]}
    yield [{"k": "v"}] * 2
    yield {"key with a blank": "v", "": "empty", "a: b": "c", "multi\nline": "x", "k" * 140: "long"}
    yield {"nested": {"text": "a\nb\n", "long": WORDS[-30], "list": ["a\nb", {"x": "y\n"}]}}


def random_value(rng, depth=0):
    kind = rng.random()
    if depth > 3 or kind < 0.5:
        return rng.choice(WORDS) if rng.random() < 0.8 else rng.choice([1, 0, None, True, 2.5, -7])
    if kind < 0.75:
        return [random_value(rng, depth + 1) for _ in range(rng.randrange(5))]
    return {rng.choice(WORDS): random_value(rng, depth + 1) for _ in range(rng.randrange(5))}


def written(value, options):
    settings = {"allow_unicode": True, "default_flow_style": None, **options}
    return yaml.dump(value, Dumper=AnsibleDumper, **settings)


def encode(value, seen=None):
    """JSON in which floats and shared collections are still told apart."""
    seen = {} if seen is None else seen
    if isinstance(value, float):
        return {"$float": repr(value)}
    if isinstance(value, int) and not isinstance(value, bool):
        return value if abs(value) < 2**53 else {"$int": str(value)}
    if isinstance(value, (list, tuple, dict)):
        if id(value) in seen:
            return {"$same": seen[id(value)]}
        seen[id(value)] = len(seen)
        if isinstance(value, dict):
            return {"$dict": [[encode(k, seen), encode(v, seen)] for k, v in value.items()]}
        return [encode(item, seen) for item in value]
    return value


def rows(values, options, json_options):
    for value in values:
        expected = [[o, written(value, o)] for o in options(value)]
        yield {"value": encode(value), "yaml": expected, "json": [[o, json.dumps(value, **o)] for o in json_options(value)]}


def is_small(value):
    return isinstance(value, str)


def main():
    if len(sys.argv) > 1:
        rng = random.Random(int(sys.argv[1]))
        values = [random_value(rng) for _ in range(3000)]
        print(json.dumps(list(rows(values, lambda _: [rng.choice(OPTIONS)], lambda _: [rng.choice(JSON_OPTIONS)]))))
        return
    made = rows(fixed_values(), lambda v: OPTIONS[:2] if is_small(v) else OPTIONS, lambda v: JSON_OPTIONS[:1] if is_small(v) else JSON_OPTIONS)
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "dump.json"), "w", encoding="utf-8") as out:
        out.write("[\n" + ",\n".join(json.dumps(row) for row in made) + "\n]\n")


main()
