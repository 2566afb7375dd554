"""Makes the corpus of templates that both engines render: (mode, template, options) triples, always the same ones.

Modes: `text` as playbooks have it, `native` the same with jinja2_native, `file` as the template module has it, `when` as a condition.
"""
from pathlib import Path
from random import Random

VARS = r'''{
  'i': 7, 'zero': 0, 'neg': -3, 'f': 2.5, 't': True, 'n': None, 's': 'Hello, World', 'e': '', 'u': 'h\u00e9llo \u2603', 'big': 123456789012345678901234567890,
  'l': [3, 1, 2], 'el': [], 'ls': ['b', 'A', 'c'], 'ml': [1, 'two', 3.0, None, True, [1, 2], {'k': 'v'}],
  'd': {'a': 1, 'b': {'c': [1, 2, {'x': 'deep'}]}, 'items': 'shadow', '3': 'three'}, 'ed': {},
  'users': [{'name': 'bob', 'age': 30, 'tags': ['x', 'y']}, {'name': 'al', 'age': 25, 'tags': []}, {'name': 'cy', 'age': 30}],
  'ref': '{{ i }}', 'expr': '{{ i + 1 }}', 'reflist': '{{ l }}', 'broken': '{{ nowhere }}', 'half': {'ok': 1, 'bad': '{{ nowhere }}'},
  'inner': {'ref': '{{ i }}', 'text': 'v={{ s }}'}, 'quoted': "it's", 'ml_text': 'line one\nline two\n\n  line four', 'numtext': '42', 'path': '/etc/ssl//certs/ca.pem',
  'listtext': '[1, 2]', 'yes': 'yes', 'deep': {'a': {'b': {'c': {'d': 'end'}}}}, 'item': 'one', 'unicode': '\u00c4\u00d6\u00fc\u00df\U0001f600'
}'''

ATOMS = ["0", "1", "-3", "7", "2.5", "-0.5", "1e16", "true", "none", "'ab'", "''", "'7'", "[1, 'x']", "[]", "(1, 2)", "{'k': 1}", "2 ** 70", "undef_name"]
BINARY = ["+", "-", "*", "/", "//", "%", "**", "~", "==", "!=", "<", ">=", "in", "and", "or", "not in"]
SKIP_POWER = {"2 ** 70", "1e16"}


def text(template):
    return ("text", template, {})


def arithmetic():
    for left in ATOMS:
        for right in ATOMS:
            for operator in BINARY:
                if operator == "**" and (left in SKIP_POWER or right in SKIP_POWER):
                    continue
                if operator == "**" and (left in ("-3", "-0.5")) and "." in right:
                    continue  # complex numbers
                if operator == "*" and right == "2 ** 70" or operator == "*" and left == "2 ** 70" and right.startswith(("'", "[", "(")):
                    continue
                a = f"({left})" if "*" in left else left
                b = f"({right})" if "*" in right else right
                yield text(f"{{{{ {a} {operator} {b} }}}}|")


def numbers():
    ints = ["0", "1", "-1", "2", "3", "-7", "10", "97", "255", "1000003", "2 ** 31", "2 ** 53", "2 ** 53 + 1", "2 ** 63 - 1", "-(2 ** 64)", "10 ** 25"]
    for a in ints:
        for b in ints:
            for operator in ["+", "-", "*", "//", "%", "/", "<", "=="]:
                yield text(f"{{{{ ({a}) {operator} ({b}) }}}}|")
    floats = ["0.1", "0.2", "1.0", "-2.5", "1e-7", "123456789.123456789", "1e22", "1e21", "9.999999999999999e22", "5e-324", "1.7976931348623157e308", "3.0", "1e100", "-0.0", "0.00001234", "1e15", "123456.789"]
    for a in floats:
        yield text(f"{{{{ {a} }}}} {{{{ [{a}] }}}} {{{{ -({a}) }}}} {{{{ {a} | int }}}} {{{{ {a} | round(2) }}}} {{{{ {a} | string }}}}")
        for b in ["1", "3", "0.5", "-2.0", "7.25", "1e10"]:
            for operator in ["+", "-", "*", "/", "//", "%", "<=", "=="]:
                yield text(f"{{{{ {a} {operator} {b} }}}}|")


def precedence():
    for e in [
        "2 ** 3 ** 2", "-2 ** 2", "2 * 3 | string", "1 + 2 is odd", "1 ~ 2 + 3", "1 + 2 ~ 3", "1 ~ 2 * 3", "1 < 2 < 3", "1 < 3 < 2", "3 > 2 > 1 == 1", "1 in [1] in [[1]]", "1 == 1 in [true]",
        "not true or true", "not (true or true)", "true or false and false", "not 1 == 2", "not 1 in [2]", "1 not in [2] and 3", "1 if true else 2 if true else 3", "(1 if false else 2) if true else 3",
        "1 if false else 2 if false else 3", "[1, 2][0] + 1", "-[1][0]", "- 1 | abs", "-1 | abs", "(-1) | abs", "+1", "--1", "- -1", "-+-1", "2 - -2", "'a' 'b'", "'a' 'b' ~ 'c'", "'a' * 2 ~ 'b'", "1 + 1 if 0 else 2",
        "1 is defined", "x is defined and x", "x is not defined or y", "1 is odd and 2 is even", "not 1 is odd", "1 is not odd", "3 is divisibleby 3", "3 is divisibleby(3)", "4 is divisibleby 1 + 1", "'a' is in 'abc'", "'a' is not in 'abc'", "1 is in [1]",
        "1 is eq 1", "1 is eq(1) == true", "1 is sameas true", "none is none", "[1] is sequence", "{} is mapping", "1, 2", "(1,)", "(1, 2), 3", "()", "1,", "[1, 2,]", "{'a': 1,}", "[(1, 2)]", "{1: 2, 'a': [3]}", "{(1, 2): 3}", "{1.0: 'f', 1: 'i', true: 'b'}",
        "1 == 1.0 == true", "1 < 2.5", "'a' < 'b' < 'c'", "[1, 2] < [1, 3]", "(1, 2) < (1, 2, 3)", "[1, [2]] == [1, [2]]", "{'a': 1, 'b': 2} == {'b': 2, 'a': 1}", "'1' == 1", "none == false", "0 == false", "'' == none", "1 == 1 == 1", "1 != 2 != 1",
        "1 | string + '2'", "('1' | int) + 2", "'a' | upper ~ 'b'", "'a' ~ 'b' | upper", "1 + 2 | string | length", "[1,2,3] | length + 1", "2 * [1,2] | length", "7 // 2 * 2", "7 % 4 ** 2", "2 ** -1", "2 ** 0.5", "0 ** 0", "10 - 3 - 2", "100 / 10 / 2", "2 * 3 % 4", "1 - 1 ~ 'x'",
        "true and 'yes'", "'' or 'default'", "0 or none", "none or 0", "1 and 2 and 3", "1 and 0 and 3", "not none", "not []", "not [0]", "true == 'true'", "True", "False", "None", "true ~ false", "none ~ ''", "1.0 ~ 1", "[] ~ {}", "1 ~ none ~ [1]",
        "i", "i + 1", "ref", "ref + 1", "expr", "expr + 1", "s", "f", "f + 1", "t", "n", "big", "big + 1", "d", "l", "d.a", "d.b.c[2].x", "d['b']['c'][0]", "d.items", "d.items()", "d['items']", "d.get('a')", "d.get('zz')", "d.get('zz', 5)", "d['3']", "d.3", "l.0", "l[0]", "l[-1]", "l[5]", "l.5", "l['x']", "s[0]", "s[-1]", "s[99]", "s.foo", "n.foo", "i.foo", "f.is_integer()", "d.nope", "d.nope.nope2", "d.a.b.c", "undef_name.x.y", "d[l]", "d[[1]]", "d[{}]", "l[none]", "l[true]", "l[1.0]", "l['0']", "u", "u[1]", "u | length", "unicode", "unicode[4]", "unicode | length", "unicode[::-1]",
        "users[0].name", "users[0]['tags'][1]", "users[2].tags", "users[2].tags | default('none')", "deep.a.b.c.d", "deep['a']['b']", "deep.a.x.c | default('D')", "inner.ref", "inner.text", "inner", "reflist", "reflist[0]", "half.ok", "half", "broken", "broken is defined", "broken | default('d')", "half is defined", "half.bad | default('x')", "quoted", "ml_text", "listtext", "yes", "path", "e", "el", "ed", "zero", "neg", "ml",
        "'a' if false", "('a' if false) | length", "('a' if false) is defined", "('a' if false) ~ 'x'", "('a' if false) + 'x'", "('a' if false).x", "('a' if false)['x']", "'x' ~ ('b' if false) ~ 'y'", "('a' if false) == ''", "('a' if false) or 'z'", "('a' if false) | default('d')", "[('a' if false)]", "[('a' if false)] | length", "('a' if false) | upper", "('a' if false) | list", "(1 if false) < 2", "('a' if false) in 'abc'", "('a' if false)()",
        "[undef_name]", "{'a': undef_name}", "(undef_name, 1)", "[undef_name] | length", "undef_name | default('d')", "undef_name.a['b'].c | default('d')", "undef_name()", "undef_name.x()", "-undef_name", "undef_name + 1", "1 + undef_name", "undef_name == 1", "1 == undef_name", "undef_name in [1]", "1 in undef_name", "not undef_name", "undef_name and 1", "undef_name or 1", "1 or undef_name", "0 and undef_name", "undef_name if true else 1", "1 if undef_name else 2", "undef_name[0]", "undef_name[1:2]", "l[undef_name]", "d[undef_name]", "undef_name ~ 'a'", "undef_name is none", "undef_name is callable", "undef_name is string", "[1, 2] + undef_name", "'%s' % undef_name", "undef_name | string", "undef_name | length", "undef_name < 1", "[undef_name] == [1]", "range(undef_name)", "undef_name in undef_name",
        "dict(a=1)", "dict([('a', 1)])", "dict({'a': 1}, b=2)", "dict(1)", "dict([1])", "dict(['ab'])", "dict(['abc'])", "range(3)", "range(1, 5, 2)", "range(5, 0, -2)", "range(0)", "range(3)[1]", "range(10)[2:5]", "range(3) | list", "range(1, 2, 0)", "range('a')", "range(1.5)", "range()", "[range(2)]", "range(3) ~ ''", "3 in range(5)", "range(3) == range(0, 3)", "range(3) | sum", "range", "dict", "namespace(a=1)", "namespace(a=1).a", "namespace(a=1).b", "joiner()", "joiner(':')()", "cycler('a', 'b').next()", "cycler()", "lookup", "d.keys()", "d.values()", "ed.keys()", "d.keys() ~ ''", "[d.keys()]", "ed.items() | list", "'a' in d.keys()", "1 in d.values()", "('a', 1) in d.items()", "d.keys() | list", "d.copy() == d", "l.copy()", "l.append", "s.upper", "{}.keys", "now() is defined", "omit is defined", "'a' is filter", "'upper' is filter", "'odd' is test",
        "012", ".5", "1.", "5.real", "1 2", "1 +", "+", "(1", "[1", "{'a'}", "{'a': }", "a b", "'abc", "1 if", "if", "else", "not", "1 not 2", "a.", "a.'b'", "a..b", "a | ", "a | 1", "a is", "a is not", "a is 1", "x is string is defined", "f(a=1, 2)", "f(*a, *b)", "f(**a, b=1)", "f(*l, 2)", "a[", "a[]", "a[1:2:3:4]", "*a", "a ! b", "a && b", "a = b", "a := b", "$a", "a ? b : c", "a?", "`a`", "{{ }}", "[,]", "(,)", "{,}", "1..2", "0x", "0xg", "1e", "1_", "_1", "1__0", "0b2", "0o8", "00", "1_000", "0x_ff", "0b1_0", "1_0.5_0", "1e1_0", "\u00e9", "\u00e9 | default('x')", "a\u00e9 is defined", "'\u00e9'", "a-b", "a -b", "foo-bar is defined",
        "nope_filter(1)", "1 | nope_filter", "1 | nope.x.y", "1 is nope_test", "1 if true else (2 | nope_filter)", "[1] | map('nope_filter')", "[1] | select('nope_test')",
        "lambda: 1", "[x for x in l]", "import", "from", "self", "self.x", "super", "super()", "caller", "loop", "varargs", "kwargs", "_", "__class__", "''.__class__", "''.__class__.__mro__", "s.__len__", "l.__class__", "(1).__class__", "{}.__class__", "range.__call__", "dict.fromkeys",
    ]:
        yield text(f"{{{{ {e} }}}}")
        yield text(f"x {{{{ {e} }}}}")


def slices():
    for v in ["l", "s", "(1, 2, 3, 4)", "[]", "u", "range(6)", "unicode", "'abcdef'"]:
        for k in [":", "1:", ":1", "-1:", ":-1", "1:2", "::2", "::-1", "1::2", ":2:", "5:1", "-2:-1", "::-2", "3:0:-1", "-100:100", "100:", "0:0", ":none", "none:2", "::0", "1.0:", "'a':"]:
            yield text(f"{{{{ {v}[{k}] }}}}|")
    for e in ["d[1:2]", "n[1:]", "i[1:]", "undef_name[1:]", "l[1:][0]", "l[:2] + l[2:]", "s[1:3] ~ s[::-1]", "l[0:2][::-1]", "users[:2] | length", "l[i:]", "l[1, 2]", "d[1, 2]", "d['a', 'b']", "l[::]"]:
        yield text(f"{{{{ {e} }}}}|")


def methods():
    strings = ["'Hello, World'", "''", "'  pad\\t'", "'a,b,,c'", "u", "ml_text", "'MiXeD caSe'", "'123'", "'\u00df\u0130x'", "unicode"]
    calls = ["upper()", "lower()", "title()", "capitalize()", "swapcase()", "casefold()", "strip()", "lstrip()", "rstrip()", "strip('H')", "strip('lo ')", "split()", "split(',')", "split(',', 1)", "rsplit(',', 1)", "split(None, 1)", "rsplit(None, 1)", "split(maxsplit=1)", "split(sep=',')", "split('')", "splitlines()", "splitlines(true)", "partition(',')", "rpartition(',')", "partition('')", "startswith('H')", "startswith(('a', 'H'))", "endswith('d')", "startswith('e', 1)", "startswith(1)", "find('l')", "rfind('l')", "find('zz')", "index('l')", "index('zz')", "rindex('l')", "find('l', 4)", "find('l', 1, 3)", "count('l')", "count('')", "count('l', 3)", "replace('l', 'L')", "replace('l', 'L', 1)", "replace('', '-')", "replace('', '-', 2)", "replace('x')", "replace(1, 2)", "center(20)", "center(20, '*')", "center(19, '*')", "ljust(15, '.')", "rjust(15)", "zfill(15)", "zfill(2)", "expandtabs()", "expandtabs(2)", "isalpha()", "isdigit()", "isdecimal()", "isnumeric()", "isalnum()", "isspace()", "islower()", "isupper()", "istitle()", "isidentifier()", "isascii()", "isprintable()", "join(['x', 'y'])", "join('ab')", "join([1])", "join([])", "join(d)", "removeprefix('He')", "removesuffix('ld')", "removeprefix('zz')", "encode()", "encode('utf-8').decode()", "encode('ascii', 'ignore')", "encode('ascii', 'replace')", "encode('latin-1', 'backslashreplace')", "encode('ascii', 'xmlcharrefreplace')", "translate({108: 'L', 111: none})", "nope()", "format(1)", "format_map({})", "__len__()", "upper(1)", "strip(1)", "center()", "split(1)", "find()", "title().lower().upper()"]
    for s in strings:
        for c in calls:
            yield text(f"{{{{ {s}.{c} }}}}|")
    for e in [
        "'+7'.zfill(5)", "'-7'.zfill(5)", "'--7'.zfill(5)", "'ab'.join(['1', '2', '3'])", "'{}'.format('a')", "'a b  c '.split(' ')", "' a  b '.split()", "'a\\nb\\r\\nc\\n'.splitlines()", "'x' .upper()", "'%s' .format()", "'abc'.maketrans('ab', 'xy')", "'abc'.translate('abc'.maketrans('ab', 'xy'))", "'a'.encode().hex()", "'they\\'re bill\\'s'.title()", "'abc'.index('c', -1)", "'abcabc'.rfind('b', 0, 4)", "'aaa'.count('aa')", "'aaa'.replace('aa', 'b')",
        "l.index(1)", "l.index(9)", "l.count(1)", "l.copy()", "[1, 2].append(3)", "[3, 1].sort()", "l.pop(99)", "[].pop()", "l.nope", "l.nope()", "(1, 2, 1).count(1)", "(1, 2).index(2)", "(1, 2).index(5)", "l.__len__()", "l.__contains__(1)", "l.__getitem__(0)", "l.insert()", "l.append()", "l.append(1, 2)", "l.remove(77)", "l.extend(5)", "l.index()", "l.sort(5)", "l.sort(nope=1)", "[2, 'a'].sort()",
        "d.keys()", "d.values()", "d.items()", "d.get()", "d.pop('zz')", "d.pop('zz', 1)", "d.update(5)", "d.update([1])", "d.nope()", "d.keys(1)", "{}.popitem()", "{}.fromkeys(['a', 'b'], 1)", "dict.fromkeys('ab')", "{'a': 1}.__contains__('a')", "{'a': 1}.__getitem__('b')", "{'a': 1}.setdefault('b', 2)", "{'a': 1}.setdefault('a', 2)", "{'a': 1}.get('b', none)", "{1: 'a'}.get(1)", "{1: 'a'}.get(1.0)", "{1: 'a'}.get(true)", "{1: 'a'}[true]", "{true: 'a'}[1]", "{1.0: 'x'}[1]", "{'1': 'a'}[1]", "{none: 'a'}[none]", "{(1, 2): 'a'}[(1, 2)]", "{(1, 2): 'a'}[1, 2]",
        "(5).bit_length()", "(-8).bit_length()", "(2 ** 70).bit_length()", "(2.0).is_integer()", "(2.5).is_integer()", "(0.5).as_integer_ratio()", "(0.1).as_integer_ratio()", "(0.5).hex()", "(10).conjugate()", "i.real", "i.imag", "f.real", "i.denominator", "i.numerator", "(255).to_bytes(2, 'big')", "(1).bit_count()", "true.real", "(3).nope",
        "'a'.encode() == 'a'.encode()", "'a'.encode() ~ 'b'", "'ab'.encode()[0]", "'ab'.encode()[:1]", "'\u00e9'.encode()", "['a'.encode()]", "'a\\'b'.encode()",
    ]:
        yield text(f"{{{{ {e} }}}}|")


def formats():
    values = ["0", "42", "-42", "255", "3.14159", "-2.5", "1e10", "1e-5", "'text'", "''", "none", "true", "[1]", "2 ** 70", "1234567.891", "0.0", "12345678"]
    specs = ["", "d", "5d", "05d", "<5", ">5", "^7", "*^9", "+d", " d", ",", "_", ",.2f", ".2f", ".0f", "f", "e", ".3e", "E", "g", ".3g", "G", "x", "X", "#x", "b", "#b", "o", "#o", "08b", "_b", "_x", "%", ".1%", "s", "10s", ".2s", ">10s", "=+8", "08.2f", "+.1f", "n", "c", "z", "10", "010", "#g", "#.3g", ".10g", "<08", "é<8", "015,", "020,.2f", "+", "-", " ", "r", "5.5", ".5", "!", "{", "q", ",d", ",x", "#", "=10", "^10.3f", "x<5d"]
    for v in values:
        for spec in specs:
            yield text("{{ '{:%s}'.format(%s) }}|" % (spec, v))
        for f in ["%s", "%r", "%a", "%d", "%i", "%5d", "%-5d|", "%05d", "%+d", "% d", "%x", "%X", "%#x", "%o", "%#o", "%e", "%.2e", "%E", "%f", "%.1f", "%8.3f", "%-8.2f|", "%08.2f", "%+.1f", "%g", "%.3g", "%G", "%c", "%5s", "%-5s|", "%.2s", "%10.1s", "%%", "%q", "%", "%5%", "%(a)s", "%s %s", "%ld", "%#g", "%.0f", "%u"]:
            yield text("{{ '%s' %% %s }}|" % (f, f"({v})"))
    for e in [
        "'%s-%s' % (1, 'a')", "'%s' % (1, 2)", "'%(a)s %(b)d' % {'a': 1, 'b': 2}", "'%(a)s' % {}", "'%(a)s' % 1", "'%s' % {'a': 1}", "'%s' % [1, 2]", "'%s %s' % [1, 2]", "'%*d' % (5, 3)", "'%-*d|' % (5, 3)", "'%.*f' % (2, 3.14159)", "'100%%' % ()", "'100%' % ()", "'%s' % ((1, 2),)", "'%s' % ()", "'a' % 1", "'a' % [1]", "'a' % {}", "'%d' % '1'", "'%d' % 3.99", "'%x' % 3.5", "'%c' % 97", "'%c' % 'ab'", "'%s' % none", "'%r' % 'it\\'s'", "'%5s|%-5s|' % ('é', 'ü')", "'%(k)s%%' % {'k': 50}", "'%d%%' % 5", "'%s %%s' % 'a'",
        "'{} {}'.format(1, 2)", "'{0} {1} {0}'.format('a', 'b')", "'{a} {b}'.format(a=1, b=2)", "'{0[0]} {0[1]}'.format([1, 2])", "'{0[k]}'.format({'k': 'v'})", "'{!r}'.format('a')", "'{!s:>5}'.format('a')", "'{!a}'.format('é')", "'{:{}}'.format('a', 5)", "'{:{w}.{p}f}'.format(3.14159, w=8, p=2)", "'{{}}'.format()", "'{{{}}}'.format(1)", "'{'.format()", "'}'.format()", "'{}'.format()", "'{1}'.format(1)", "'{a}'.format(1)", "'{} {0}'.format(1)", "'{0} {}'.format(1)", "'{!x}'.format(1)", "'{:d}'.format('a')", "'{a[b]}'.format(a={'b': 1})", "'{a[0]}'.format(a=[1])", "'{a[5]}'.format(a=[1])", "'{a[x]}'.format(a=[1])", "'{0.nope}'.format(1)", "'{a}'.format_map({'a': 1})", "'{a}'.format_map({})", "'{:%Y}'.format(1)", "'{:>{w}}'.format('x', w=4)", "'{0:{1}}'.format('x', '^5')",
    ]:
        yield text(f"{{{{ {e} }}}}|")


def literals():
    for t in [
        "[1, 2]", "[1, {{ i }}]", " [1]", "[1] ", "[3] # three", "[1+3]", "[03]", "[1, 2", "{ 3 }", "{'a': 1}", "{a: 1}", "{\"a\": true}", "[true, false, null]", "[True, None]", "[nan]", "[inf]", "[1e400]", "{{ [1e400 * 10] }}", "True", "False", "true", " True", "True ", "None", "null", "(1, 2)", "1", "1.5", "'a'", "[1]\n", "[1]\n\n", "[\n1,\n2\n]", "[1,]", "[,]", "[]", "{}", "[[]]", "[{}]", "{1: 2}", "{1, 2}", "{'a'}", "['a' 'b']", "['a\\nb']", "[r'a\\n']", "[b'x']", "[u'x']", "[f'x']", "['''x''']", "[-1]", "[+1]", "[--1]", "[~1]", "[1 if True else 2]", "[x]", "[1][0]", "[1] + [2]", "{**{}}", "[*[1]]", "[1j]", "[1+2j]", "[0x1F, 0b11, 0o17]", "[1_000]", "[.5, 5., 1e5]", "['\\x41\\u00e9\\101']", "['\\q']", "['\\x4']", "['unclosed]", "[\"it's\"]", "['\u00e9\u2603']", "[()]", "[(1,)]", "[(1)]", "{(1, 2): 3}", "{[]: 1}", "{{ {'a': [1, (2,)]} }}", "[set()]", "[True == 1]", "[not True]", "[1 # c\n, 2]", "[1, # c\n2]", "{'a': 1, 'a': 2}", "[Ellipsis]", "[...]", "[lambda: 1]", "[1]x", "[1];", "[1], [2]", "[1],", "{'a': 1}, 2", "{'a': \"b\" }", "{\"a\": [1, 2.0, \"x\"], \"b\": {\"c\": null}}",
        "{{ 'True' }}", "{{ 'true' }}", "{{ '[1]' }}", "{{ '[1' }}", "{{ '[' }}1]", "{{ l }}", "{{ l }}{{ l }}", "x{{ l }}", "{{ l }}\n", "{{ l }}x", " {{ l }}", "{{ t }}", "{{ t }} ", "{{ not t }}", "{{ n }}", "{{ n }}x", "{{ none }}", "{{ i }}", "{{ i }} ", "{{i}}", "{{  i  }}", "{{ i }}\n", "{{ (i) }}", "{{- i -}}", "{{ f }}", "{{ d }}", "{{ d.b }}", "{{ (1, 2) }}", "{{ 'a' }}", "{{ '' }}", "{{ [] }}", "{{ {} }}", "{{ l | to_json }}", "{{ d.b | to_json }}", "{{ l | string }}", "{{ '[1]' | string }}", "{{ '[1]' | upper }}", "{{ '[1]' | trim }}", "{{ l | to_json }} ", "{{ l | to_json | upper }}", "{{ (l | to_json) }}", "{{ l | to_json if true else 1 }}", "{{ l | to_nice_json }}", "{{ [1] | to_json ~ '' }}", "{% set x = l | to_json %}{{ x }}", "{% if t %}{{ l }}{% endif %}", "{% for x in l %}{{ x }}{% endfor %}", "[{% for x in l %}{{ x }},{% endfor %}]", "{% raw %}[1]{% endraw %}", "{# c #}{{ i }}", "{{ i }}{# c #}", "{{ l | map('string') }}", "{{ d.keys() }}", "{{ range(2) }}", "{{ ref }}", "{{ ref }}x", "{{ expr }}", "{{ reflist }}", "{{ listtext }}", "{{ listtext }}x", "{{ omit }}", "x{{ omit }}", "{{ [omit] }}", "{{ {'a': omit} }}", "{{ undef_name | default(omit) }}", "{{ '1' }}", "{{ 1 }}", "{{ 1 }}{{ 2 }}", "{{ ml }}", "{{ users }}", "{{ big }}", "{{ [big] }}", "{{ [f] }}", "{{ [1.0] }}", "{{ [u] }}", "{{ [quoted] }}", "{{ [ml_text] }}", "{{ ['a\\tb'] }}", "{{ ['\"', \"'\"] }}", "{{ ['\\'\"'] }}", "{{ 'yes' }}", "{{ yes }}", "{% if t %}True{% endif %}", "{% if t %}[1, 2]{% endif %}", "{% set a %}[1]{% endset %}{{ a | type_debug }}", "{% set a %}True{% endset %}{{ a | type_debug }}", "{% macro m() %}[1]{% endmacro %}{{ m() | type_debug }}", "{% macro m() %}{{ l }}{% endmacro %}{{ m()[0] }}", "{% macro m() %}5{% endmacro %}{{ m() | type_debug }}", "{% filter upper %}[1]{% endfilter %}", "{% set a %}{{ l }}{% endset %}{{ a[0] }}", "{% set a %}{% endset %}{{ a | type_debug }}", "{% macro m() %}{{ n }}{% endmacro %}[{{ m() }}]",
    ]:
        yield text(t)
        if "{{" not in t and "{%" not in t:
            yield text("{{ '" + t.replace("'", "\\'") + "' }}" if "\\" not in t and "'" not in t else "{% raw %}" + t + "{% endraw %}")
            yield text("{% if true %}" + t + "{% endif %}")


def escapes():
    for e in [r"'a\nb'", r"'\\'", r"'\1'", r"'\d+'", r"'it\'s'", r'"a\"b"', r"'\x41'", r"'\u00e9'", r"'\t'", r"'a\\b'", r"'\\n'", r"'\q'", r"'\U0001F600'", r"'\N{BULLET}'", r"'\x4'", r"'\0'", r"'\101'", r"'\u12'", "'a\nb'", "'\u00e9\\n'"]:
        yield text("{{ " + e + " }}|")
        yield text("{% set a = " + e + " %}{{ a }}|")
        yield text("\\1 {{ " + e + " }} \\2|")
        yield ("file", "{{ " + e + " }}|", {})
        yield ("when", e + " == 'a'", {})
    yield text("{{ 'abc' | regex_replace('^(a)(.*)$', '\\2\\1') }}")
    yield text("{{ 'abc' | regex_replace('^(a)(.*)$', '\\\\2\\\\1') }}")
    yield ("file", "{{ 'abc' | regex_replace('^(a)(.*)$', '\\\\2\\\\1') }}", {})
    yield text("{% if 'a.b' is match('a\\.b') %}y{% endif %}")


def statements():
    for t in [
        "{% for x in l %}{{ x }}{% if not loop.last %},{% endif %}{% endfor %}", "{% for x in l %}{{ loop.index }}{{ loop.index0 }}{{ loop.revindex }}{{ loop.revindex0 }}{{ loop.first }}{{ loop.last }}{{ loop.length }} {% endfor %}", "{% for x in [] %}a{% else %}empty{% endfor %}", "{% for x in l %}{% else %}no{% endfor %}|", "{% for k, v in d.items() %}{{ k }}={{ v }};{% endfor %}", "{% for k in d %}{{ k }}{% endfor %}", "{% for c in 'abc' %}{{ c }}-{% endfor %}", "{% for a, b in [(1, 2), (3, 4)] %}{{ a }}{{ b }} {% endfor %}", "{% for a, b in [(1, 2, 3)] %}{{ a }}{% endfor %}", "{% for a, b in [1] %}{{ a }}{% endfor %}", "{% for (a, b), c in [((1, 2), 3)] %}{{ a }}{{ b }}{{ c }}{% endfor %}", "{% for x in l if x > 1 %}{{ loop.index }}:{{ x }} {% endfor %}", "{% for x in l if x > 1 %}{{ loop.length }}{% else %}none{% endfor %}", "{% for x in l if x > 9 %}a{% else %}none{% endfor %}", "{% for x in l if loop.index > 1 %}{{ x }}{% endfor %}", "{% for x in undef_name %}a{% endfor %}", "{% for x in none %}a{% endfor %}", "{% for x in 5 %}a{% endfor %}", "{% for x in range(3) %}{{ x }}{% endfor %}{{ x | default('gone') }}", "{% set x = 1 %}{% for i in [1, 2] %}{{ x }}{% set x = x + 1 %}{{ x }} {% endfor %}{{ x }}", "{% set ns = namespace(c=0) %}{% for i in [1, 2, 3] %}{% set ns.c = ns.c + i %}{% endfor %}{{ ns.c }}", "{% for x in l %}{{ loop.cycle('a', 'b') }}{% endfor %}", "{% for x in [1, 1, 2, 2, 3] %}{% if loop.changed(x) %}{{ x }}{% endif %}{% endfor %}", "{% for x in [1, 2, 3] %}[{{ loop.previtem | default('-') }}<{{ x }}>{{ loop.nextitem | default('-') }}]{% endfor %}", "{% for x in l %}{% for y in l %}{{ loop.index }}{% endfor %}{{ loop.index }} {% endfor %}", "{% for x in l %}{% set o = loop %}{% for y in [1] %}{{ o.index }}{% endfor %}{% endfor %}", "{% for x in [{'n': 1, 'c': [{'n': 2, 'c': [{'n': 3}]}]}] recursive %}{{ x.n }}d{{ loop.depth }}{{ loop.depth0 }}{% if x.c %}({{ loop(x.c) }}){% endif %}{% endfor %}", "{% for x in [[1, [2, 3]], [4]] recursive %}{% if x is sequence %}[{{ loop(x) }}]{% else %}{{ x }}{% endif %}{% endfor %}", "{% for x in l %}{{ loop(x) }}{% endfor %}", "{% for x in l %}{{ loop }}{% endfor %}", "{{ loop }}", "{% for x in l %}{% endfor %}{{ loop is defined }}", "{% for x in l %}{{ x }}{% if x == 1 %}{% break %}{% endif %}{% endfor %}", "{% for x in l %}{% if x == 1 %}{% continue %}{% endif %}{{ x }}{% endfor %}", "{% break %}", "{% do l.append(1) %}{{ l }}", "{% do 1 + 1 %}x",
        "{% for x in d.b.c %}{{ x }},{% endfor %}", "{% for x in 'a' 'b' %}{{ x }}{% endfor %}", "{% for x in [1,2,3][::-1] %}{{ x }}{% endfor %}", "{% for x in l | sort %}{{ x }}{% endfor %}", "{% for x in l | sort if x != 2 %}{{ x }}{% endfor %}", "{% for x in (1 if true else 2, 3) %}{{ x }}{% endfor %}", "{% for x in 1, 2 %}{{ x }}{% endfor %}", "{% for x in [] recursive %}a{% endfor %}|", "{% for u in users %}{{ u.name }}:{% for t in u.tags | default([]) %}{{ t }}{% else %}-{% endfor %} {% endfor %}", "{% for i in range(2) %}{% for j in range(2) %}{{ i }}{{ j }}{{ loop.index }} {% endfor %}{% endfor %}{{ i }}",
        "{% if t %}a{% elif f %}b{% else %}c{% endif %}", "{% if false %}a{% elif t %}b{% else %}c{% endif %}", "{% if false %}a{% elif zero %}b{% else %}c{% endif %}", "{% if undef_name %}a{% endif %}", "{% if undef_name is defined %}a{% else %}b{% endif %}", "{% if l %}a{% endif %}{% if el %}b{% endif %}|", "{% if 1, 2 %}a{% endif %}", "{% if t %}{% set q = 1 %}{% endif %}{{ q }}", "{% if false %}{% set q = 1 %}{% endif %}{{ q is defined }}", "{% if 'a' in 'abc' and not false %}y{% endif %}", "{% if t: %}a{% endif %}",
        "{% set a = 1 %}{{ a }}", "{% set a, b = 1, 2 %}{{ a }}{{ b }}", "{% set a, b = (1, 2, 3) %}", "{% set a = 1, 2 %}{{ a }}", "{% set a %}x{{ i }}{% endset %}{{ a }}", "{% set a | upper %}x{{ i }}y{% endset %}{{ a }}", "{% set a | upper | replace('X', 'z') %}x{% endset %}{{ a }}", "{% set i = i + 1 %}{{ i }}", "{% set s = s | upper %}{{ s }}", "{{ i }}{% set i = 99 %}{{ i }}", "{% set ns = namespace(d) %}{{ ns.a }}", "{% set ns.x = 1 %}", "{% set d.x = 1 %}", "{% set ns = namespace() %}{% set ns.x = 1 %}{{ ns.x }}{{ ns.y is defined }}", "{% set ns = namespace(a=1) %}{% set ns.b %}t{% endset %}{{ ns.b }}", "{% set true = 1 %}", "{% set 1 = 2 %}", "{% set a.b.c = 2 %}", "{% set a['b'] = 1 %}", "{% set = 1 %}", "{% set a %}", "{% set a", "{% set x = l %}{% set _ = x.append(9) %}{{ x }}{{ l }}", "{% set _ = d.update({'z': 1}) %}{{ d.z }}", "{% set x = [] %}{% for i in range(3) %}{% set _ = x.append(i) %}{% endfor %}{{ x }}", "{{ l.append(5) }}{{ l }}", "{% if l.append(5) %}{% endif %}{{ l }}", "{{ d.pop('a') }}{{ d.keys() | list }}", "{% set q = {} %}{% set _ = q.__setitem__('k', 1) %}{{ q }}", "{{ [3, 1, 2].sort() }}{% set z = [3, 1, 2] %}{% set _ = z.sort(reverse=true) %}{{ z }}", "{% set z = [1, 2, 3] %}{{ z.pop() }}{{ z.pop(0) }}{{ z }}{% set _ = z.insert(0, 'a') %}{% set _ = z.extend([7, 8]) %}{{ z }}{% set _ = z.remove(2) %}{% set _ = z.reverse() %}{{ z }}{% set _ = z.clear() %}{{ z }}",
        "{% with %}{% set a = 1 %}{{ a }}{% endwith %}{{ a is defined }}", "{% with a = 1, b = 2 %}{{ a }}{{ b }}{% endwith %}", "{% with a = i, b = a | default('x') %}{{ b }}{% endwith %}", "{% with i = 1 %}{{ i }}{% endwith %}{{ i }}", "{% with a = 1 %}{% with b = a %}{{ b }}{% endwith %}{% endwith %}",
        "{% macro m(a, b=2, c='x') %}{{ a }}{{ b }}{{ c }}{% endmacro %}{{ m(1) }} {{ m(1, 3) }} {{ m(1, c='y') }} {{ m(a=5) }}", "{% macro m(a) %}{{ a }}{% endmacro %}{{ m() }}", "{% macro m(a) %}{{ a | default('d') }}{% endmacro %}{{ m() }}", "{% macro m(a) %}{{ a }}{% endmacro %}{{ m(1, 2) }}", "{% macro m(a) %}{{ a }}{% endmacro %}{{ m(b=1) }}", "{% macro m(a) %}{{ a }}{% endmacro %}{{ m(1, a=2) }}", "{% macro m() %}{{ varargs }}{{ kwargs }}{% endmacro %}{{ m(1, 2, x=3) }}", "{% macro m(a=i) %}{{ a }}{% endmacro %}{{ m() }}", "{% macro m(a, b=a) %}{{ b }}{% endmacro %}{{ m(1) }}", "{% macro m(a=1, b) %}{% endmacro %}", "{% macro m(x) %}{% if x > 0 %}{{ x }}{{ m(x - 1) }}{% endif %}{% endmacro %}{{ m(3) }}", "{% macro m() %}{{ caller() }}{% endmacro %}{% call m() %}body{% endcall %}", "{% macro m() %}{{ caller(1, 2) }}{% endmacro %}{% call(a, b) m() %}{{ a }}-{{ b }}{% endcall %}", "{% macro m() %}{{ caller(1) }}{% endmacro %}{% call(a, b='d') m() %}{{ a }}-{{ b }}{% endcall %}", "{% macro m() %}{{ caller() }}{% endmacro %}{{ m() }}", "{% macro m() %}x{% endmacro %}{% call m() %}b{% endcall %}", "{% macro m() %}{{ i }}{% endmacro %}{% set i = 1 %}{{ m() }}", "{% macro m() %}{% set z = 1 %}{% endmacro %}{{ m() }}{{ z is defined }}", "{{ m() }}{% macro m() %}x{% endmacro %}", "{% macro m(l=[]) %}{{ l.append(1) or l }}{% endmacro %}{{ m() }}{{ m() }}", "{% macro m() %}a{% endmacro %}{{ m }}", "{% macro m(a, b=1) %}{{ varargs }}{% endmacro %}{{ m.name }} {{ m.arguments }} {{ m.catch_varargs }} {{ m.catch_kwargs }} {{ m.caller }}", "{% macro m() %}a{% endmacro %}{{ m() ~ m() }}{{ m() == 'a' }}", "{% for x in [1, 2] %}{% macro m() %}{{ x }}{% endmacro %}{{ m() }}{% endfor %}", "{% macro outer() %}{% macro inner(x) %}<{{ x }}>{% endmacro %}{{ inner(1) }}{% endmacro %}{{ outer() }}", "{% call undef_name() %}x{% endcall %}", "{% call 5 %}x{% endcall %}", "{% macro m() %}{{ 'a' if false }}{% endmacro %}[{{ m() }}]", "{% macro m(*a) %}{% endmacro %}", "{% macro m(a, a) %}{{ a }}{% endmacro %}{{ m(1, 2) }}", "{% macro 1() %}{% endmacro %}", "{% macro m %}{% endmacro %}", "{% macro m(caller) %}{{ caller }}{% endmacro %}{{ m(1) }}", "{% macro m() %}{{ undef_name }}{% endmacro %}{{ m() }}", "{% macro m() %}{% for i in [1, 2] %}{{ caller(i) }}{% endfor %}{% endmacro %}{% call(x) m() %}({{ x }}){% endcall %}", "{% macro m(a, b) %}{{ a }}{{ b }}{% endmacro %}{{ m(*[1, 2]) }}{{ m(**{'a': 3, 'b': 4}) }}{{ m(1, *[2]) }}{{ m(1, **{'b': 2}) }}",
        "{% filter upper %}abc {{ i }}{% endfilter %}", "{% filter upper | replace('A', 'z') %}abc{% endfilter %}", "{% filter nope %}x{% endfilter %}", "{% filter indent(2) %}a\nb{% endfilter %}", "{% filter trim %}  x  {% endfilter %}|", "{% print 1 %}", "{% print 1, 2 %}", "{% raw %}{{ x }}{% endraw %}", "{% raw -%}  {{ x }}  {%- endraw %}", "{% raw %}{% endraw %}|", "{% raw %}", "{# comment #}", "{# {{ x }} #}a", "{# unclosed", "{#- a -#} b", "{% autoescape true %}{{ '<' }}{% endautoescape %}", "{% nope %}", "{% endif %}", "{% if t %}", "{% for x in l %}{% endif %}{% endfor %}", "{% if t %}{% endfor %}", "{% else %}", "{% if t %}{% else %}{% else %}{% endif %}", "{% for x l %}{% endfor %}", "{% for in l %}{% endfor %}", "{% for x in %}{% endfor %}", "{% for 1 in l %}{% endfor %}", "{% %}", "{% 1 %}", "{{", "{{ }}", "{{ 1", "{{ 1 }", "}}", "%}", "{% if %}", "{% if t %}a{% elif %}b{% endif %}", "{{ 1 }}}", "{{{ 1 }}}", "{{ {'a': 1}['a'] }}", "{{ {'a': {'b': 1}} }}", "{{ '}}' }}", "{{ '{{' }}", "{{ \"%}\" }}", "{% set a = '%}' %}{{ a }}", "{{ 1 }} {{ 2 }}\n{{ 3 }}\n\n", "{{ 1 -}}  \n {{ 2 }}", "a  {{- 1 }}", "a \n {%- if t %} b {%- endif %} c", "a {% if t -%} b {% endif -%} c", "{% if t %}\nb\n{% endif %}\nc", "{%+ if t +%}\nb\n{%+ endif +%}\nc", "  {% if t %}\n  b\n  {% endif %}\n", "{{ 'a' }}\n", "{{ 'a' }}\n\n\n", "\n\n{{ 'a' }}", "{{ 'a\n' }}\n", "{{ i }}{{ '\n' }}", "a\r\n{{ 1 }}\r\n", "{% if t %}\r\nx{% endif %}\r\n", "{{ '\r' }}|", "{%if t%}x{%endif%}", "{%- if t -%}x{%- endif -%}", "{{i}}{{s}}", "{% block a %}x{{ i }}{% endblock %}", "{% block a %}x{% endblock %}{{ self.a() }}", "{% block a %}x{% endblock b %}", "{% block a %}{% block b %}y{% endblock %}{% endblock %}", "{% block a %}{% endblock %}{% block a %}{% endblock %}", "{% set q = 1 %}{% block a %}{{ q }}{% endblock %}", "{% for x in l %}{% block a %}{{ x | default('-') }}{% endblock %}{% endfor %}", "{% for x in l %}{% block a scoped %}{{ x }}{% endblock %}{% endfor %}", "{% block a %}{% set z = 1 %}{{ z }}{% endblock %}{{ z is defined }}", "{% block a %}{{ super() }}{% endblock %}", "{% block a required %}{% endblock %}", "{% block a required %}x{% endblock %}", "{% block a-b %}{% endblock %}", "{{ self.nope() }}", "{% include 'nope' ignore missing %}|", "{% include 'nope' %}", "{% import 'nope' as x %}", "{% from 'nope' import a %}", "{% from 'x' import _a %}", "{% extends 'nope' %}", "{% include undef_name %}", "{% import 'x' %}", "{% from 'x' import %}", "{% include %}",
        "#jinja2: trim_blocks: False\n{% if t %}\nx\n{% endif %}\n", "#jinja2: lstrip_blocks: True\n  {% if t %}\n  x\n  {% endif %}\n", "#jinja2:variable_start_string:'[[', variable_end_string:']]'\n[[ i ]] {{ i }}", "#jinja2: nope\n{{ 1 }}", "#jinja2: trim_blocks: False",
        "{{ lookup('nope_lookup', 1) }}", "{{ lookup() }}", "{{ undef() }}", "{{ undef(hint='say') }}", "{{ undef() is defined }}", "{{ (undef_name | default({})).x | default('y') }}", "{{ users | map(attribute='name') | join(',') }}", "{{ users | selectattr('age', 'eq', 30) | map(attribute='name') | list }}", "{{ [1, 2, 3] | map('string') | join }}", "{{ ['a', 'b'] | map('upper') | list }}", "{{ [1, none, 2] | select | list }}", "{{ l | sum }} {{ l | max }} {{ l | min }} {{ l | first }} {{ l | last }}", "{{ l | sort }} {{ ls | sort }} {{ l | reverse | list }}", "{{ l | join('-') }} {{ d.b | length }}", "{{ cycler('a', 'b').current }}", "{% set c = cycler('a', 'b') %}{{ c.next() }}{{ c.next() }}{{ c.next() }}{{ c.current }}", "{% set j = joiner('|') %}{% for x in l %}{{ j() }}{{ x }}{% endfor %}",
    ]:
        yield text(t)
        yield text("<" + t + ">")
    for t in [
        "a\n{% if true %}\nb\n{% endif %}\nc\n", "  {% if true %}  \n  b\n  {% endif %}\nc", "{% for x in [1, 2] %}\n  {{ x }}\n{% endfor %}\n", "a {% if true %} b {% endif %}\n", "{# c #}\nx\n", "  {# c #}\nx\n", "x {# c #}\ny\n", "{% set a = 1 %}\n{{ a }}\n", "{% raw %}\n{{ a }}\n{% endraw %}\nb\n", "  {%- if true %}\n b\n {%- endif %}\n", "\t{% if true -%}\n b\n {% endif -%}\n c\n", "{% if true +%}\nb\n{% endif +%}\nc\n", "  {%+ if true %}\nb\n  {%+ endif %}\nc\n", "", "\n", "\n\n", "x", "x\n", "x\n\n", "{{ '' }}", "{{ '' }}\n", "{% if false %}x{% endif %}\n", "{{ 1 }}\n{{ 2 }}", "{{ 1 -}}\n{{- 2 }}\n", "a\r\nb\r\n", "{% if true %}\r\na\r\n{% endif %}\r\n", "a{{ '\n' }}", "a{{ 'b\n' }}\n", "{{ none }}|{{ true }}|{{ [1] }}|{{ {'a': none} }}\n", "{% macro m() %}\n[1]\n{% endmacro %}\n{{ m() | type_debug }}\n", "{% set a %}True{% endset %}{{ a | type_debug }}", "{{ range(2) }}{{ d.keys() }}", "  {% for x in [1] %}{% endfor %}  \n", "{% if true %}{% if true %}\n x\n{% endif %}{% endif %}\n y", "\n  {% if true %}\n    {{ 1 }}\n  {% endif %}\n", "{%- set a = 1 -%}\n\n x {{- a -}} \n\n", "a\n  {{ 1 }}\n  {# c #}  \nb", "\u2028{% if true %}\nx{% endif %}", "{% raw %}\n  {{ a }}\n  {%- endraw %}\nb\n",
    ]:
        for options in [{}, {"trim_blocks": False}, {"lstrip_blocks": True}, {"trim_blocks": False, "lstrip_blocks": True}, {"newline_sequence": "\r\n"}]:
            yield ("file", t, options)
    yield ("file", "[[ i ]] {{ i }} <% if true %>x<% endif %> <# c #>", {"variable_start_string": "[[", "variable_end_string": "]]", "block_start_string": "<%", "block_end_string": "%>", "comment_start_string": "<#", "comment_end_string": "#>"})
    yield ("file", "#jinja2: trim_blocks: True\n{% if true %}\nx\n{% endif %}\n", {"trim_blocks": False})


def conditions():
    for c in [
        "true", "false", "t", "n", "not t", "i == 7", "i > 'a'", "undef_name", "undef_name is defined", "undef_name == 1", "undef_name is not defined", "not undef_name", "i", "zero", "s", "e", "l", "el", "'a' in s", "s == 'Hello, World'", "{{ t }}", "{{ i }} == 7", "'{{ s }}' == 'x'", "i is defined and i == 7", "i == 7 and undef_name", "i == 8 and undef_name", "i ==", "i = 7", "==", "i | nope", "i is nope", "(i", "i)", "'yes'", "yes", "ref == 7", "ref == '7'", "expr == 8", "expr == '8'", "broken", "broken is defined", "half.ok", "d.a == 1", "d.q.r == 1", "d.q is defined", "users | length == 3", "users | map(attribute='name') | list", "1", "0", "'False'", "'false'", "none", "[]", "{}", "i in [7]", "i not in [7]", "i is odd", "i is not odd", "\"a\\nb\" == 'a\nb'", "s is match('Hello')", "'\\d' == 'x'", "s is search('W.rld')", "true and", "l == [3, 1, 2]", "{{ l }}", "{{ el }}", "{{ undef_name }}", "{{ e }}", "{{ yes }}", "listtext", "inner.ref == 7", "inner.text == 'v=Hello, World'", "i == 7 %}x{% else", "'a' if true else 'b'", "'' if true else 'b'",
    ]:
        yield ("when", c, {})


def random_expression(random, depth):
    if depth == 0 or random.random() < 0.15:
        return random.choice(LEAVES)
    def inner():
        return random_expression(random, depth - 1)
    return random.choice(SHAPES)(random, inner)


LEAVES = ["i", "zero", "neg", "f", "t", "n", "s", "e", "l", "el", "ls", "d", "users", "deep", "nope", "1", "2", "0", "1.5", "'a'", "'b,c'", "''", "true", "none", "[1, 2]", "('x', 1)", "{'a': 1}", "l[0]", "d.a", "d.b", "users[0].name", "s.upper()", "users | length"]
SHAPES = [
    lambda r, x: f"{x()} {r.choice(['+', '-', '*', '//', '%', '~'])} {x()}",
    lambda r, x: f"{x()} {r.choice(['==', '!=', '<', '>', '<=', '>=', 'in', 'not in'])} {x()}",
    lambda r, x: f"{x()} {r.choice(['and', 'or'])} {x()}",
    lambda r, x: f"not {x()}",
    lambda r, x: f"({x()})",
    lambda r, x: f"-{x()}",
    lambda r, x: f"{x()} if {x()} else {x()}",
    lambda r, x: f"({x()} if {x()})",
    lambda r, x: f"[{x()}, {x()}]",
    lambda r, x: f"{{'k': {x()}, {r.choice(['1', 'true', 'none'])}: {x()}}}",
    lambda r, x: f"({x()})[{r.choice(['0', '-1', '1:', ':1', '::-1', repr('a'), repr('k')])}]",
    lambda r, x: f"({x()}).{r.choice(['a', 'k', 'name', 'upper()', 'keys()', 'split()', 'items()'])}",
    lambda r, x: f"({x()}) | {r.choice(['string', 'length', 'list', 'default(1)', 'first', 'last', 'upper', 'int', 'bool', 'join', 'type_debug', 'to_json', 'unique', 'sort', 'float', 'reverse', 'max', 'abs', 'trim'])}",
    lambda r, x: f"({x()}) is {r.choice(['', 'not '])}{r.choice(['defined', 'none', 'string', 'number', 'mapping', 'sequence', 'iterable', 'odd', 'boolean', 'truthy', 'integer', 'float', 'callable', 'in [1]', 'eq 1'])}",
    lambda r, x: f"{x()} < {x()} <= {x()}",
]
STATEMENTS = [
    lambda r, x: "{% for x in " + x() + " %}{{ x }};{{ loop.index }}{% else %}none{% endfor %}",
    lambda r, x: "{% if " + x() + " %}yes{% else %}no{% endif %}",
    lambda r, x: "{% set v = " + x() + " %}{{ v }}/{{ v ~ '' }}",
    lambda r, x: "{% set v %}{{ " + x() + " }}{% endset %}{{ v | type_debug }}{{ v }}",
    lambda r, x: "{% macro m(a, b=" + x() + ") %}{{ a }}|{{ b }}{% endmacro %}{{ m(" + x() + ") }}",
    lambda r, x: "{% with v = " + x() + " %}{{ v }}{% endwith %}",
    lambda r, x: "{{ " + x() + " }} {{ " + x() + " }}",
]


def random_templates():
    random = Random(20260)
    for n in range(3000):
        yield text("{{ " + random_expression(random, 1 + n % 3) + " }}")
    for n in range(1000):
        yield text(random.choice(STATEMENTS)(random, lambda: random_expression(random, 1 + n % 2)))


NAMES = ["a", "b", "c", "i"]


def random_body(random, depth):
    return "".join(random_statement(random, depth) for _ in range(random.randint(1, 3)))


def random_statement(random, depth):
    name, other = random.choice(NAMES), random.choice(NAMES)
    value = random.choice(["1", f"{other} | default('-')", f"({other} | default(0) | int) + 1", f"'{other}' ~ ({name} | default('?'))", f"[{other} | default(none)]"])
    simple = [
        f"{{{{ {name} | default('~') }}}},",
        f"{{% set {name} = {value} %}}",
        f"{{{{ {name} is defined }}}},",
        f"{{% set {name}, {other} = 1, 2 %}}",
        f"{{{{ m({value}) if m is defined else '' }}}}",
    ]
    if depth == 0:
        return random.choice(simple)
    inner = random_body(random, depth - 1)
    return random.choice(simple[:2] + [
        f"{{% for {name} in [1, 2] %}}{inner}{{% endfor %}}",
        f"{{% for {name} in {value} %}}{inner}{{% else %}}none{{% endfor %}}",
        f"{{% for {name}, {other} in [(1, 2), (3, 4)] if {name} != 9 %}}{inner}{{{{ loop.index }}}}{{% endfor %}}",
        f"{{% if {value} %}}{inner}{{% else %}}{random_body(random, depth - 1)}{{% endif %}}",
        f"{{% if false %}}{inner}{{% endif %}}",
        f"{{% with {name} = {value}, {other} = {name} | default('w') %}}{inner}{{% endwith %}}",
        f"{{% set {name} %}}{inner}{{% endset %}}",
        f"{{% filter upper %}}{inner}{{% endfilter %}}",
        f"{{% macro m({name}, {other}x={value}) %}}{inner}{{{{ {other}x }}}}{{{{ varargs | length if false }}}}{{% endmacro %}}{{{{ m({value}) }}}}",
        f"{{% macro k() %}}[{{{{ caller({value}) }}}}]{{% endmacro %}}{{% call({name}) k() %}}{inner}{{% endcall %}}",
    ])


def scopes():
    random = Random(77)
    for n in range(2500):
        yield text(random_body(random, 1 + n % 3) + "|{{ a | default('A') }}{{ b | default('B') }}{{ c | default('C') }}{{ i }}")


def further():
    """Templates from further.txt, under headings of the form `# mode: about`."""
    mode = "text"
    for line in (Path(__file__).parent / "further.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("# "):
            mode = line[2:].split(":")[0]
        elif line:
            yield (mode, line, {})


def native():
    for mode, template, _ in [*literals(), *escapes(), *random_templates()]:
        if mode == "text":
            yield ("native", template, {})
    for e in ["1", "1.5", "'1'", "'a'", "none", "true", "[1]", "{'a': 1}", "(1, 2)", "l", "d", "n", "i", "i + 1", "s", "range(3)", "d.keys()", "l | map('string')", "'[1]'", "'1' ~ '2'", "undef_name", "'a' if false", "e", "big", "f", "l | to_json", "\"'x'\"", "' 1'"]:
        yield ("native", f"{{{{ {e} }}}}", {})
        yield ("native", f"x{{{{ {e} }}}}", {})
        yield ("native", f"{{{{ {e} }}}}{{{{ {e} }}}}", {})


def corpus():
    for part in [arithmetic, numbers, precedence, slices, methods, formats, literals, escapes, statements, conditions, random_templates, scopes, native, further]:
        yield from part()
