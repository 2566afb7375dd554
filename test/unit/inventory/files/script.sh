#!/bin/sh
[ "$1" = --list ] && cat <<'J'
{"web": {"hosts": ["a", "b"], "vars": {"v": [1, true, null, 1.5, "{{ x }}"]}, "children": ["deep"]}, "flat": ["c"], "d": {"x": 1}, "deep": {"hosts": ["e"]}, "_meta": {"hostvars": {"a": {"ansible_host": "10.0.0.1"}}}}
J
