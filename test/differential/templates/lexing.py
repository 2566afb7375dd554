"""Prints templates that try the lexer and the parser, as cases for record.py: `lexing.py SEED COUNT | record.py - > lexing.jsonl`."""
import itertools
import json
import random
import sys

R = random.Random(int(sys.argv[1]))
COUNT = int(sys.argv[2])


def case(mode, template, **options):
    print(json.dumps({'m': mode, 't': template, **({'o': options} if options else {})}))


def blanks():
    """Whitespace control with every sign, every setting and both line ends."""
    bodies = {
        'if': 'x{n}  {a}if 1{b}{n} z{n}  {a}endif{b}{n}  y{n}{n}',
        'set': 'x{n}  {a}set q=1{b}{n}  y {{{{- 1 -}}}} {n} k',
        'raw': 'x{n}  {a}raw{b}{n} {{{{ z }}}}{n}  {a}endraw{b}{n}  y{n}',
        'comment': 'x{n}  {a} c {b}{n}  y{n}',
    }
    for n, trim, lstrip, start, end, kind in itertools.product(['\n', '\r\n'], [True, False], [True, False], '-+ ', '-+ ', bodies):
        mark = '#' if kind == 'comment' else '%'
        template = bodies[kind].format(n=n, a='{' + mark + start.strip(), b=' ' + end.strip() + mark + '}')
        case('file', template, trim_blocks=trim, lstrip_blocks=lstrip)


NUMBERS = """0 00 0_0 01 1_000 1__0 _1 1_ 0x1F 0X1f 0x_1f 0x 0o17 0O17 0o8 0b101 0B1 0b2 1e3 1E3 1e+3 1e-3 1.5 1. .5 1_0.5 1.5_0 1_0e1_0 1.5e3 1.e3 1e 1.5e 0.0 0e0
00.5 1.0.0 1..2 1.real 1.5.real 999999999999999999999 -0.0 0xg 1a 1_a x.1 x.0.1 x.1.5 l.0 l.1_0 l.0x1""".split()
NUMBERS += ['1if 1', '1else']
TEXTS = [r"'\x41'", r"'\x4'", r"'\u00e9'", r"'\u12'", r"'\U0001F600'", r"'\U00110000'", r"'\N{EM DASH}'", r"'\N{em dash}'", r"'\N{NOPE}'", r"'\N'", r"'\N{'",
         r"'\101'", r"'\8'", r"'\0'", r"'\400'", r"'\777'", "'a\\\nb'", "'a\nb'", r"'\q'", r"'\''", r"'\\'", r"'\"'", r"'\a\b\f\v\t\r'", r"'a' 'b'", r"'a' ~ 'b' 'c'",
         "'é☃😀'", "'", "'a", '"a\'', "'a''b'", "r'a'", "b'a'", "f'{x}'", "u'a'", "'\r\n'", "'{{'", "'}}'", "'%}'", "'#}'", "'{%'", "'{#'"]
NAMES = ['é', 'ñandú', '名前', 'a·b', 'ª', '_', '__x', 'a-b', 'a.b', '℮', '²', 'x²', 'xⅷ', 'ⅷ', 'a\u0301', '\u0301a', '☃', '😀', 'a$', '$', 'a@b', 'a!', 'a?b', 'a`', 'a;b', 'a&b',
         'a^b', 'l\u200dx', 'ﬁ', 'x٣']


def atoms():
    places = ['{{ %s }}', '{{ [%s] }}', '{{ {%s: 1} }}', '{{ d.%s }}', '{{ 1 + %s }}', '{{ x|default(%s) }}', '{%% set v = %s %%}{{ v|string|length }}', '{%% for %s in [1] %%}{%% endfor %%}',
              '{%% macro %s(a) %%}{%% endmacro %%}', '{%% macro m(%s=1) %%}{%% endmacro %%}{{ m() }}']
    for atom in NUMBERS + TEXTS + NAMES:
        case('text', '{{ %s }}' % atom)
        case('when', atom)
        for place in places:
            case('file', place % atom)


VALUES = ['2', '3', '-1', "'a'", '[1]', 'true', 'none', '1.5', 'nope', '(1,2)', '-2|abs', 'not 1', '2 if 0', '2 if 0 else 3', '1 is odd', '-1 is odd', 'x|default(3)', 'a=1', '*l', '**d', '{1:2}', 'd', 'l',
          '-l', '+1', '- -1', '1,2', '()']
OPERATORS = ['+', '-', '*', '/', '//', '%', '**', '~', '==', '!=', '<', '<=', '>', '>=', 'in', 'not in', 'and', 'or', 'is', 'is not', '|', '.', 'if', 'else', '=', ',', ':', 'not', 'is in', 'is divisibleby']
TAILS = ['', '', '', ',', ')', ']', '[0]', '|abs', ' is odd', '.x', ' is not none', ',', ' if 1', ' else 2', '[1:]', '[::-1]', '[1,2]', '(a=1,1)', '(**d,a=1)', '(*l,1)']


def expression(length):
    parts = [R.choice(['', '', 'not ', '-', '(', '[']) + R.choice(VALUES)]
    for _ in range(length):
        parts += [R.choice(OPERATORS), R.choice(['', '', '', 'not ', '-', '+', '(']) + R.choice(VALUES)]
    return ' '.join(parts) + R.choice(TAILS)


def expressions():
    places = ['{%% set v = %s %%}{{ v }}', '{%% for v in %s %%}{{ v }};{%% endfor %%}', '{%% if %s %%}a{%% elif 1 %%}b{%% endif %%}', '{%% macro m(a, b=2) %%}{{ a }}{{ b }}{%% endmacro %%}{{ m(%s) }}',
              '{%% with a=1, b=%s %%}{{ a }}{{ b }}{%% endwith %%}', '{%% print 1, %s %%}', '{%% filter default(%s) %%}x{%% endfilter %%}', '{%% set a, b = %s %%}{{ a }}{{ b }}']
    for _ in range(COUNT):
        written = expression(R.choice([0, 1, 1, 2, 2, 3]))
        mode = R.choice(['text', 'text', 'when', 'file', 'native'])
        case(mode, written if mode == 'when' else (R.choice(places) if mode == 'file' else '{{ %s }}') % written)


WORDS = """for x in l if else elif endif endfor set = 1 endset macro m ( ) endmacro call endcall filter upper endfilter block b endblock with endwith raw endraw do break continue recursive loop include 'f'
import as from ignore missing context without scoped required extends print autoescape true endautoescape , . | not is ns ns.a * a,b trans endtrans (a,b) [a] - + :""".split()
WHOLE = ["{% for a in l if a %}{{ loop.index }}{% else %}n{% endfor %}", "{% set ns = namespace(a=1) %}{% set ns.a = 2 %}{{ ns.a }}",
         "{% macro m(a, b=2) %}{{ a }}{{ b }}{{ varargs }}{{ kwargs }}{% endmacro %}{{ m(1,2,3,k=4) }}", "{% set x | upper | replace('A','B') %}a{% endset %}{{ x }}", "{% filter upper %}a{% endfilter %}",
         "{% if 1 %}a{% elif 2 %}b{% else %}c{% endif %}", "{% with a=1,b=a %}{{ a }}{% endwith %}", "{% raw -%} {{ x }} {%- endraw %}", "{# a {# b #} c #}", "{{ 1 if b else c if d else e }}",
         "{% for (a,(b,c)) in [(1,(2,3))] %}{{a}}{{b}}{{c}}{% endfor %}", "{% set (a,b) = 1,2 %}{{ a+b }}", "{{ {'a':1,}['a'] }}{{ [1,][0] }}{{ (1,) }}{{ 1, }}", "{% for a in 1,2,3 %}{{ a }}{% endfor %}",
         "{% if 1, %}y{% endif %}", "{% for a in l %}{% if a == 2 %}{% break %}{% endif %}{{ a }}{% endfor %}", "{% from 'x' import a as b, c without context %}", "{% include ['a','b'] ignore missing %}"]


def statements():
    for _ in range(COUNT):
        tags = []
        for _ in range(R.choice([1, 2, 3])):
            words = ' '.join(R.choice(WORDS) for _ in range(R.choice([1, 2, 3, 4, 5])))
            tags.append('{%' + R.choice([' ', '- ', '+ ']) + words + R.choice([' ', ' -', ' +']) + '%}' + R.choice(['', 'x', '\n']))
        case('file', ''.join(tags))
    for template in WHOLE:
        case('file', template)
    for _ in range(COUNT):
        template = R.choice(WHOLE)
        start = R.randint(0, len(template))
        end = min(len(template), start + R.randint(0, 3))
        new = R.choice(['', '', ' ', R.choice(WORDS), R.choice(WORDS) + ' ', '{{', '}}', '{%', '%}', '{#', '#}', '(', ')', '\n', "'"])
        case('file', template[:start] + new + template[end:])


blanks()
atoms()
expressions()
statements()
