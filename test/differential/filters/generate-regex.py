#!/usr/bin/python3
"""Prints what Python 3.11's re does with patterns made at random: `generate-regex.py SEED COUNT > regex-generated.jsonl`."""
import json
import random
import re
import signal
import sys
import warnings

warnings.simplefilter('ignore')
R = random.Random(int(sys.argv[1]))
COUNT = int(sys.argv[2])
LIT = ['a', 'b', 'c', 'ab', 'A', 'B', 'k', 's', 'i', '1', '_', ' ', '\\.', '\\n', 'é', 'É', 'ß', 'ẞ', 'ſ', 'K', 'İ', 'ı', 'σ', 'ς', '😀', '-', '\\-', ',', 'x']
FLAGS = {'i': re.I, 'm': re.M, 's': re.S}


def atom(depth):
    r = R.random()
    if r < .42:
        return R.choice(LIT if R.random() < .4 else LIT[:4]) if r < .35 else '.'
    if r < .58:
        return R.choice(['\\d', '\\w', '\\s', '\\D', '\\W', '\\S']) if r < .5 else charset()
    if r < .67:
        return R.choice(['^', '$', '\\b', '\\B', '\\A', '\\Z'] if r < .62 else ['\\1', '\\2', '(?P=n)'])
    if depth <= 0:
        return R.choice('abc')
    if r < .80:
        return '(' + choice(depth - 1) + ')'
    if r < .90:
        return ('(?:' if r < .84 else '(?P<%s>' % R.choice('nm')) + choice(depth - 1) + ')'
    if r < .93:
        return R.choice(['(?=', '(?!', '(?<=', '(?<!']) + choice(depth - 1 if R.random() < .5 else 0) + ')'
    if r < .95:
        return '(?>' + choice(depth - 1) + ')'
    if r < .97:
        return '(?(%s)' % R.choice(['1', '2', 'n']) + sequence(depth - 1) + ('|' + sequence(depth - 1) if R.random() < .6 else '') + ')'
    return '(?%s:' % R.choice(['i', '-i', 's', 'm', 'x', 'a', 'u', 'i-s', 'ia']) + choice(depth - 1) + ')'


def charset():
    members = ['a', 'b', 'c', 'a-c', 'A-C', '\\d', '\\w', '\\s', '\\W', '_', '-', '1', 'é', 'à-ö', '\\]', 'K', '😀', 's', 'Z-b']
    return '[' + ('^' if R.random() < .3 else '') + ''.join(R.choice(members) for _ in range(R.randint(1, 3))) + ']'


def repeat():
    r = R.random()
    return R.choice(['*', '+', '?', '{2}', '{1,2}', '{,2}', '{1,}', '{0}', '{2,3}']) + ('?' if r < .25 else '+' if r < .33 else '')


def sequence(depth):
    return ''.join(atom(depth) + (repeat() if R.random() < .4 else '') for _ in range(R.choice([0, 1, 1, 2, 2, 3])))


def choice(depth):
    return '|'.join(sequence(depth) for _ in range(R.choice([1, 1, 1, 2, 2, 3])))


def subject():
    pool = 'ab' if R.random() < .4 else 'abcABC1_ \n.kKsSiIéÉßſKİıσς😀-,x'
    return ''.join(R.choice(pool) for _ in range(R.randint(0, 9)))


def replacement():
    parts = ['x', '\\1', '\\2', '\\g<0>', '\\g<1>', '\\g<n>', '-', '\\n', '\\\\', '\\0', '\\g<00>', '\\.']
    return ''.join(R.choice(parts) for _ in range(R.randint(0, 3)))


PIECES = ['', '(', ')', '[', ']', '{', '}', '?', '*', '+', '|', '\\', '(?', '(?P<', '(?P=', '(?<', '(?(', '>', '=', '!', ':', '-', 'i', 'x', '#', '1', '2', 'a',
          '\n', '\\x', '\\u12', '\\N{', '\\N{DASH}', '\\N{EM DASH}', '\\8', '\\400', '\\07', 'é', '😀', '^', '$', ',', '(?#', ' ', 'L', '(?i)', '(?x)', '(?-i', '_']


def changed(pattern):
    for _ in range(R.randint(1, 2)):
        start = R.randint(0, len(pattern))
        end = min(len(pattern), start + R.randint(0, 2))
        pattern = pattern[:start] + ''.join(R.choice(PIECES) for _ in range(R.randint(0, 2))) + pattern[end:]
    return pattern


def run(pattern, text, new, flags):
    try:
        compiled = re.compile(pattern, sum(FLAGS[flag] for flag in flags))
        try:
            replaced = compiled.sub(new, text)
        except (re.error, IndexError) as error:
            replaced = '!' + str(error)
        match = compiled.match(text)
        return {
            'sub': replaced,
            'all': [[found.group(0), list(found.groups())] for found in compiled.finditer(text)],
            'match': match and match.group(0),
            'fullmatch': bool(compiled.fullmatch(text)),
            'split': compiled.split(text),
        }
    except (re.error, IndexError, OverflowError) as error:
        return {'error': str(error)}


class TooLong(Exception):
    pass


def stop(*_):
    raise TooLong()


def main():
    signal.signal(signal.SIGALRM, stop)
    made = 0
    while made < COUNT:
        pattern = choice(3)
        if R.random() < .25:
            pattern = R.choice(['(?i)', '(?x)', '(?s)', '(?m)', '(?a)', '(?ia)']) + pattern
        if R.random() < .3:
            pattern = changed(pattern)
        flags = ''.join(flag for flag in 'ims' if R.random() < .25)
        text, new = subject(), replacement()
        try:
            signal.setitimer(signal.ITIMER_REAL, 0.2)
            expected = run(pattern, text, new, flags)
            signal.setitimer(signal.ITIMER_REAL, 0)
        except (TooLong, RecursionError, SystemError, MemoryError):
            signal.setitimer(signal.ITIMER_REAL, 0)
            continue
        made += 1
        print(json.dumps({'pattern': pattern, 'text': text, 'replacement': new, 'flags': flags, 'expected': expected}, ensure_ascii=False))


main()
