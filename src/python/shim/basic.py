"""ansible.module_utils.basic: AnsibleModule, as modules know it."""
import atexit, datetime, errno, glob, grp, hashlib, json, locale, os, pwd, platform, re, select, shlex, shutil, signal, stat, subprocess, sys, tempfile, time, traceback, types  # noqa: F401,E401
from collections import deque  # noqa: F401
from itertools import chain, repeat  # noqa: F401

from ansible.module_utils.common.collections import is_iterable, is_string, Mapping, MutableMapping, Sequence, MutableSequence, Set, MutableSet  # noqa: F401
from ansible.module_utils.common.process import get_bin_path  # noqa: F401
from ansible.module_utils.common.sys_info import get_distribution, get_distribution_version, get_platform_subclass, get_platform  # noqa: F401
from ansible.module_utils.common.text.converters import jsonify, to_bytes, to_native, to_text, container_to_bytes as json_dict_unicode_to_bytes, container_to_text as json_dict_bytes_to_unicode, json_default  # noqa: F401,E501
from ansible.module_utils.common import validation as _validation
from ansible.module_utils.common.validation import BOOLEANS, BOOLEANS_FALSE, BOOLEANS_TRUE, boolean, bytes_to_human, human_to_bytes, lenient_lowercase, safe_eval  # noqa: F401,E501

_literal_eval = safe_eval
get_all_subclasses = None
_ANSIBLE_ARGS = None
SEQUENCETYPE = (list, tuple, frozenset, set)
PASSWORD_MATCH = re.compile(r'^(?:.+[-_\s])?pass(?:[-_\s]?(?:word|phrase|wrd|wd)?)(?:[-_\s].+)?$', re.I)
HIDDEN = 'VALUE_SPECIFIED_IN_NO_LOG_PARAMETER'
PASS_VARS, PASS_BOOLS = {}, ()
HAVE_SELINUX = False
HAS_SYSLOG = False
FILE_COMMON_ARGUMENTS = dict(
    mode=dict(type='raw'), owner=dict(type='str'), group=dict(type='str'), seuser=dict(type='str'), serole=dict(type='str'),
    selevel=dict(type='str'), setype=dict(type='str'), attributes=dict(type='str', aliases=['attr']), unsafe_writes=dict(type='bool', default=False))
_PERM_BITS = 0o7777

def load_platform_subclass(cls, *args, **kwargs):
    found = get_platform_subclass(cls)
    return super(cls, found).__new__(found)

def env_fallback(*args, **kwargs):
    for name in args:
        if name in os.environ:
            return os.environ[name]
    raise AnsibleFallbackNotFound

class AnsibleFallbackNotFound(Exception):
    pass

def remove_values(value, no_log_strings):
    secrets = sorted((s for s in (to_text(n) for n in no_log_strings) if s), key=len, reverse=True)
    return _mask(value, secrets) if secrets else value

def sanitize_keys(obj, no_log_strings, ignore_keys=frozenset()):
    return obj

def _mask(value, secrets):
    if isinstance(value, (str, bytes)):
        text = to_text(value)
        if text in secrets:
            return HIDDEN
        for secret in secrets:
            text = text.replace(secret, '********')
        return text
    if isinstance(value, dict):
        return dict((k, _mask(v, secrets)) for k, v in value.items())
    if isinstance(value, (list, tuple, set, frozenset)):
        return [_mask(v, secrets) for v in value]
    if not isinstance(value, bool) and isinstance(value, (int, float)) and to_text(value) in secrets:
        return HIDDEN
    return value

def missing_required_lib(library, reason=None, url=None):
    text = 'Failed to import the required Python library (%s) on %s\'s Python %s.' % (library, platform.node(), sys.executable)
    if reason:
        text += ' This is required %s.' % reason
    if url:
        text += ' See %s for more info.' % url
    return text + (' Please read the module documentation and install it in the appropriate location. If the required library is installed, but Ansible is using'
                   ' the wrong Python interpreter, please consult the documentation on ansible_python_interpreter')

def heuristic_log_sanitize(data, no_log_values=None):
    return remove_values(data, no_log_values or ())

# a name that has "pass", "password", "passphrase" and the like as a word
PASSWORD_NAME = re.compile(r'^(?:.+[-_\s])?pass[-_\s]?(?:word|phrase|wrd|wd)?(?:[-_\s].+)?$', re.I)
_global_warnings, _global_deprecations = [], []

class AnsibleModule(object):
    def __init__(self, argument_spec, bypass_checks=False, no_log=False, mutually_exclusive=None, required_together=None,
                 required_one_of=None, add_file_common_args=False, supports_check_mode=False, required_if=None, required_by=None):
        self._name = os.path.basename(__file__)
        self.argument_spec = dict((k, dict(v)) for k, v in argument_spec.items())
        self.supports_check_mode = supports_check_mode
        self.no_log = no_log
        self.bypass_checks = bypass_checks
        self.mutually_exclusive, self.required_together, self.required_one_of = mutually_exclusive, required_together, required_one_of
        self.required_if, self.required_by = required_if, required_by
        self.cleanup_files, self.aliases, self.no_log_values, self._legal_inputs = [], {}, set(), []
        self.run_command_environ_update = {}
        self._warnings, self._deprecations = _global_warnings, _global_deprecations
        if add_file_common_args:
            for k, v in FILE_COMMON_ARGUMENTS.items():
                self.argument_spec.setdefault(k, dict(v))
        given = dict(_ANSIBLE_ARGS)
        internal = dict((k[len('_ansible_'):], given.pop(k)) for k in list(given) if k.startswith('_ansible_'))
        self.check_mode = bool(internal.get('check_mode'))
        self._diff = bool(internal.get('diff'))
        self._verbosity = internal.get('verbosity', 0)
        self._debug = bool(internal.get('debug'))
        self._remote_tmp, self._keep_remote_files = internal.get('remote_tmp', '~/.ansible/tmp'), False
        self._socket_path, self._shell, self._syslog_facility, self._selinux_special_fs = None, None, 'LOG_USER', []
        self._string_conversion_action = 'ignore'
        self.ansible_version = internal.get('version', '2.18')
        self._name = internal.get('module_name', self._name)
        self._tmpdir = internal.get('tmpdir')
        self.params = given
        self._leave_missing_folder()
        self._remember_secrets(self.argument_spec, given)
        try:
            os.umask(0o022)
            self._check(self.argument_spec, self.params, None, dict(mutually_exclusive=mutually_exclusive, required_together=required_together,
                        required_one_of=required_one_of, required_if=required_if, required_by=required_by))
        except (TypeError, ValueError) as e:
            self.fail_json(msg=to_native(e))
        self._warn_of_passwords()
        if self.check_mode and not self.supports_check_mode:
            self.exit_json(skipped=True, msg='remote module (%s) does not support check mode' % self._name)

    # arguments

    def _check(self, spec, params, context, rules, place=''):
        names = {}
        for name, one in spec.items():
            for other in [name] + list(one.get('aliases') or []):
                names[other] = name
        unknown = sorted(p for p in params if p not in names)
        for p in [other for one in spec.values() for other in one.get('aliases') or []]:
            if p in params:
                if names[p] in params:
                    self.warn('Both option %s%s and its alias %s%s are set.' % (place, names[p], place, p))
                params[names[p]] = params[p]
                self.aliases[p] = names[p]
                for old in spec[names[p]].get('deprecated_aliases') or []:
                    if old.get('name') == p:
                        self._deprecate_option('Alias', place + p, old.get('version'), old.get('date'), old.get('collection_name'))
        for name, one in spec.items():
            if one.get('no_log') and params.get(name):
                self._remember(params[name])
        for name, one in spec.items():
            if name not in params and one.get('fallback', (None,))[0] is not None:
                self._fall_back(name, one, params)
        _validation.check_mutually_exclusive(rules.get('mutually_exclusive'), params, context)
        for name, one in spec.items():
            if name not in params and one.get('default') is not None:
                params[name] = one['default']
        _validation.check_required_arguments(spec, params, context)
        for name, one in spec.items():
            if params.get(name) is not None:
                params[name] = self._coerce(one, name, params[name], context)
        for name, one in spec.items():
            if params.get(name) is not None and one.get('choices') is not None:
                params[name] = self._choose(one, name, params[name], context)
        _validation.check_required_together(rules.get('required_together'), params, context)
        _validation.check_required_one_of(rules.get('required_one_of'), params, context)
        _validation.check_required_if(rules.get('required_if'), params, context)
        _validation.check_required_by(rules.get('required_by'), params, context)
        for name, one in spec.items():
            if name in params and (one.get('removed_at_date') is not None or one.get('removed_in_version') is not None):
                shown = ''.join([part if i == 0 else '["%s"]' % part for i, part in enumerate((context or []) + [name])])
                self._deprecate_option('Param', shown, one.get('removed_in_version'), one.get('removed_at_date'), one.get('removed_from_collection'))
        for name, one in spec.items():
            params.setdefault(name, None)
            self._below(one, name, params, context, place)
        if unknown and not self.bypass_checks:
            where = ' found in %s' % ' -> '.join(context) if context else ''
            known = sorted(k if not spec[k].get('aliases') else '%s (%s)' % (k, ', '.join(sorted(spec[k]['aliases']))) for k in spec)
            raise TypeError('Unsupported parameters for (%s) module: %s%s. Supported parameters include: %s.' % (self._name, ', '.join(unknown), where, ', '.join(known)))

    def _warn_of_passwords(self):
        for name in self.params:
            if self.argument_spec.get(self.aliases.get(name, name), {}).get('no_log') is None and PASSWORD_NAME.search(name):
                self.warn('Module did not set no_log for %s' % name)

    def _leave_missing_folder(self):
        try:
            os.getcwd()
        except OSError:
            for folder in (os.path.expandvars('$HOME'), tempfile.gettempdir(), '/'):
                if os.access(folder, os.F_OK | os.R_OK):
                    return os.chdir(folder)

    def _remember_secrets(self, spec, params):
        """Before anything is checked, so that no message shows what is secret, however deep it lies."""
        for name, one in spec.items():
            for other in [name] + list(one.get('aliases') or []):
                value = params.get(other) if isinstance(params, dict) else None
                if value is None:
                    continue
                if one.get('no_log'):
                    self._remember(value)
                options = one.get('options')
                if options:
                    for item in value if isinstance(value, list) else [value]:
                        if isinstance(item, str):
                            item = self._read_dict(item)
                        self._remember_secrets(options, item)

    def _read_dict(self, text):
        try:
            return _validation.check_type_dict(text)
        except (TypeError, ValueError):
            return {}

    def _remember(self, value):
        if isinstance(value, dict):
            for v in value.values():
                self._remember(v)
        elif is_iterable(value):
            for v in value:
                self._remember(v)
        elif value is not None and not isinstance(value, bool):
            self.no_log_values.add(to_native(value))

    def _fall_back(self, name, one, params):
        call, args, kwargs = one['fallback'][0], [], {}
        for extra in one['fallback'][1:]:
            if isinstance(extra, dict):
                kwargs = extra
            else:
                args = extra
        try:
            params[name] = call(*args, **kwargs)
        except AnsibleFallbackNotFound:
            pass

    def _coerce(self, one, name, value, context):
        wanted = one.get('type', 'str')
        check = wanted if callable(wanted) else getattr(_validation, 'check_type_%s' % {'json': 'jsonarg'}.get(wanted, wanted), None)
        if check is None:
            raise TypeError('implementation error: unknown type %s requested for %s' % (wanted, name))
        try:
            value = check(value)
            elements = one.get('elements')
            if wanted == 'list' and elements:
                each = elements if callable(elements) else getattr(_validation, 'check_type_%s' % {'json': 'jsonarg'}.get(elements, elements))
                value = [each(v) for v in value]
            return value
        except (TypeError, ValueError) as e:
            where = " found in '%s'" % ' -> '.join(context) if context else ''
            raise TypeError("argument '%s' is of type %s%s and we were unable to convert to %s: %s" % (name, type(value), where, wanted, to_native(e)))

    def _choose(self, one, name, value, context):
        choices = one['choices']
        if isinstance(value, list):
            wrong = [v for v in value if v not in choices]
            if wrong:
                raise TypeError('value of %s must be one or more of: %s. Got no match for: %s' % (name, ', '.join(map(to_native, choices)), ', '.join(map(to_native, wrong))))
            return value
        if value in choices:
            return value
        words = {'True': BOOLEANS_TRUE, 'False': BOOLEANS_FALSE}
        matching = [c for c in choices if isinstance(c, str) and c.lower() in words.get(str(value), ())]
        if len(matching) == 1:
            return matching[0]
        raise TypeError('value of %s must be one of: %s, got: %s' % (name, ', '.join(map(to_native, choices)), to_native(value)))

    def _deprecate_option(self, kind, name, version, date, collection_name):
        self.deprecate("%s '%s' is deprecated. See the module docs for more information" % (kind, name), version, date, collection_name)

    def _below(self, one, name, params, context, place):
        value = params.get(name)
        options = one.get('options')
        if options is None or (value is None and not one.get('apply_defaults')):
            return
        rules = dict((k, one.get(k)) for k in ('mutually_exclusive', 'required_together', 'required_one_of', 'required_if', 'required_by'))
        spec = dict((k, dict(v)) for k, v in options.items())
        if value is None:
            value = params[name] = {}
        for number, item in enumerate(value if isinstance(value, list) else [value]):
            if not isinstance(item, dict):
                raise TypeError("value of '%s' must be of type dict or list of dicts" % name)
            index = '[%d]' % number if isinstance(value, list) else ''
            self._check(spec, item, (context or []) + [name], rules, '%s%s%s.' % (place, name, index))

    # ends

    def exit_json(self, **kwargs):
        self.do_cleanup_files()
        self._return(kwargs)
        sys.exit(0)

    def fail_on_missing_params(self, required_params=None):
        missing = [name for name in required_params or [] if not self.params.get(name)]
        if missing:
            self.fail_json(msg='missing required arguments: %s' % ', '.join(missing))

    def fail_json(self, msg='', **kwargs):
        self.do_cleanup_files()
        kwargs['failed'] = True
        kwargs['msg'] = msg
        if 'exception' not in kwargs and sys.exc_info()[2] and (self._debug or self._verbosity >= 3):
            kwargs['exception'] = ''.join(traceback.format_tb(sys.exc_info()[2]))
        self._return(kwargs)
        sys.exit(1)

    def _return(self, kwargs):
        kwargs.setdefault('changed', False)
        kwargs.setdefault('invocation', {'module_args': getattr(self, 'params', {})})
        for key, told in (('warnings', self._warnings), ('deprecations', self._deprecations)):
            extra = kwargs.get(key)
            if extra:
                told = list(told) + (list(extra) if is_iterable(extra) else [extra])
            if told:
                kwargs[key] = list(told)
        print('\n%s' % self.jsonify(remove_values(kwargs, self.no_log_values)))

    def warn(self, warning):
        self._warnings.append(warning)

    def deprecate(self, msg, version=None, date=None, collection_name=None):
        when = {'date': date} if date is not None else {'version': version}
        self._deprecations.append(dict([('msg', msg)] + list(when.items()) + [('collection_name', collection_name)]))

    def log(self, msg, log_args=None):
        pass

    def debug(self, msg):
        pass

    def jsonify(self, data):
        return jsonify(data)

    def from_json(self, data):
        return json.loads(data)

    def boolean(self, arg):
        return arg if arg is None else boolean(arg)

    # programs

    def get_bin_path(self, arg, required=False, opt_dirs=None):
        try:
            return get_bin_path(arg, opt_dirs=opt_dirs or [])
        except ValueError as e:
            if required:
                self.fail_json(msg=to_text(e))
            return None

    def run_command(self, args, check_rc=False, close_fds=True, executable=None, data=None, binary_data=False, path_prefix=None, cwd=None,
                    use_unsafe_shell=False, prompt_regex=None, environ_update=None, umask=None, encoding='utf-8', errors='surrogate_or_strict',
                    expand_user_and_vars=True, pass_fds=None, before_communicate_callback=None, ignore_invalid_cwd=True, handle_exceptions=True):
        shell = False
        if use_unsafe_shell:
            if isinstance(args, (list, tuple)):
                args = ' '.join(shlex.quote(to_text(x)) for x in args)
            args, shell = ([executable, '-c', args], False) if executable else (args, True)
        elif isinstance(args, (str, bytes)):
            args = shlex.split(to_text(args))
        if not shell and expand_user_and_vars and not use_unsafe_shell:
            args = [os.path.expanduser(os.path.expandvars(to_text(x))) for x in args if x is not None]
        elif not shell:
            args = [to_text(x) for x in args if x is not None]
        env = dict(os.environ)
        env.update(self.run_command_environ_update)
        env.update(environ_update or {})
        if path_prefix:
            env['PATH'] = '%s:%s' % (path_prefix, env.get('PATH', ''))
        if cwd:
            cwd = os.path.abspath(os.path.expanduser(to_text(cwd)))
            if not os.path.isdir(cwd):
                if not ignore_invalid_cwd:
                    self.fail_json(msg='Provided cwd is not a valid directory: %s' % cwd)
                cwd = None
        shown = args if shell else ' '.join(shlex.quote(a) for a in args)
        try:
            child = subprocess.Popen(args, shell=shell, cwd=cwd, env=env, close_fds=close_fds, stdin=subprocess.PIPE if data is not None else subprocess.DEVNULL,
                                     stdout=subprocess.PIPE, stderr=subprocess.PIPE, pass_fds=tuple(pass_fds or ()),
                                     preexec_fn=(lambda: os.umask(umask)) if umask is not None else None)
            if before_communicate_callback:
                before_communicate_callback(child)
            if data is not None:
                data = to_bytes(data)
                if not binary_data:
                    data += b'\n'
            out, err = child.communicate(data)
            rc = child.returncode
        except (OSError, IOError) as e:
            if not handle_exceptions:
                raise
            self.fail_json(rc=e.errno or 257, stdout='', stderr='', msg=to_native(e), cmd=self._clean(shown))
        if encoding is not None:
            out, err = to_text(out, encoding, errors), to_text(err, encoding, errors)
        if rc != 0 and check_rc:
            self.fail_json(cmd=self._clean(shown), rc=rc, stdout=out, stderr=err, msg=(to_text(err).rstrip() or to_text(out).rstrip()))
        return rc, out, err

    def _clean(self, args):
        return remove_values(args, self.no_log_values)

    # files

    @property
    def tmpdir(self):
        if self._tmpdir is None:
            base = os.path.expanduser(os.path.expandvars(self._remote_tmp))
            try:
                os.makedirs(base, mode=0o700, exist_ok=True)
            except OSError:
                base = None
            self._tmpdir = tempfile.mkdtemp(prefix='ansible-moduletmp-%s-' % time.time(), dir=base)
            atexit.register(shutil.rmtree, self._tmpdir, True)
        return self._tmpdir

    def add_cleanup_file(self, path):
        if path not in self.cleanup_files:
            self.cleanup_files.append(path)

    def do_cleanup_files(self):
        for path in self.cleanup_files:
            self.cleanup(path)

    def cleanup(self, tmpfile):
        if os.path.exists(tmpfile):
            try:
                os.unlink(tmpfile)
            except OSError as e:
                sys.stderr.write('could not cleanup %s: %s' % (tmpfile, to_native(e)))

    def digest_from_file(self, filename, algorithm):
        if not os.path.exists(filename):
            return None
        if os.path.isdir(filename):
            self.fail_json(msg='attempted to take checksum of directory: %s' % filename)
        digest = algorithm if hasattr(algorithm, 'hexdigest') else hashlib.new(algorithm)
        with open(os.path.realpath(filename), 'rb') as f:
            for block in iter(lambda: f.read(65536), b''):
                digest.update(block)
        return digest.hexdigest()

    def md5(self, filename):
        return self.digest_from_file(filename, 'md5')

    def sha1(self, filename):
        return self.digest_from_file(filename, 'sha1')

    def sha256(self, filename):
        return self.digest_from_file(filename, 'sha256')

    def backup_local(self, fn):
        if not os.path.exists(fn):
            return ''
        dest = '%s.%s.%s~' % (fn, os.getpid(), time.strftime('%Y-%m-%d@%H:%M:%S~', time.localtime(time.time())).rstrip('~'))
        shutil.copy2(fn, dest)
        info = os.stat(fn)
        try:
            os.chown(dest, info.st_uid, info.st_gid)
        except OSError:
            pass
        return dest

    def atomic_move(self, src, dest, unsafe_writes=False, keep_dest_attrs=True):
        if os.path.exists(dest) and keep_dest_attrs:
            info = os.stat(dest)
            os.chmod(src, info.st_mode & _PERM_BITS)
            try:
                os.chown(src, info.st_uid, info.st_gid)
            except OSError:
                pass
        elif not os.path.exists(dest):
            mask = os.umask(0)
            os.umask(mask)
            os.chmod(src, 0o666 & ~mask)
        try:
            os.rename(src, dest)
        except OSError as e:
            if e.errno not in (errno.EPERM, errno.EXDEV, errno.EACCES, errno.ETXTBSY, errno.EBUSY):
                self.fail_json(msg='Could not replace file: %s to %s: %s' % (src, dest, to_native(e)))
            handle, beside = tempfile.mkstemp(prefix='.ansible_tmp', dir=os.path.dirname(dest) or '.')
            os.close(handle)
            try:
                shutil.copyfile(src, beside)
                shutil.copystat(src, beside)
                os.rename(beside, dest)
                os.unlink(src)
            except OSError as again:
                self.cleanup(beside)
                if not (unsafe_writes and again.errno == errno.EBUSY):
                    self.fail_json(msg='Failed to replace file: %s to %s: %s' % (src, dest, to_native(again)))
                shutil.copyfile(src, dest)

    def user_and_group(self, path, expand=True):
        info = os.lstat(os.path.expanduser(os.path.expandvars(path)) if expand else path)
        return info.st_uid, info.st_gid

    def is_special_selinux_path(self, path):
        return False, None

    def selinux_enabled(self):
        return False

    def selinux_mls_enabled(self):
        return False

    def selinux_default_context(self, path, mode=0):
        return [None, None, None]

    selinux_context = selinux_default_context
    selinux_initial_context = lambda self: [None, None, None]  # noqa: E731

    def set_default_selinux_context(self, path, changed):
        return changed

    def set_context_if_different(self, path, context, changed, diff=None):
        return changed

    def load_file_common_arguments(self, params, path=None):
        path = path or params.get('path') or params.get('dest')
        if path is None:
            return {}
        path = os.path.expanduser(os.path.expandvars(path))
        if os.path.islink(path) and params.get('follow', False):
            path = os.path.realpath(path)
        return dict(path=path, mode=params.get('mode'), owner=params.get('owner'), group=params.get('group'), seuser=params.get('seuser'),
                    serole=params.get('serole'), setype=params.get('setype'), selevel=params.get('selevel'), secontext=[None, None, None],
                    attributes=params.get('attributes'))

    def _account(self, value, by_name, what):
        try:
            return int(value)
        except ValueError:
            try:
                return by_name(value)
            except KeyError:
                self.fail_json(msg='chown failed: failed to look up %s %s' % (what, value))

    def set_owner_if_different(self, path, owner, changed, diff=None, expand=True):
        return self._own(path, owner, changed, 0, lambda n: pwd.getpwnam(n).pw_uid, 'user')

    def set_group_if_different(self, path, group, changed, diff=None, expand=True):
        return self._own(path, group, changed, 1, lambda n: grp.getgrnam(n).gr_gid, 'group')

    def _own(self, path, value, changed, index, by_name, what):
        if value is None:
            return changed
        wanted, now = self._account(value, by_name, what), self.user_and_group(path)
        if now[index] == wanted:
            return changed
        if not self.check_mode:
            try:
                os.lchown(path, *((wanted, -1) if index == 0 else (-1, wanted)))
            except OSError as e:
                self.fail_json(path=path, msg='ch%s failed: %s' % ('own' if index == 0 else 'grp', to_native(e)))
        return True

    def set_mode_if_different(self, path, mode, changed, diff=None, expand=True):
        if mode is None or not os.path.lexists(path):
            return changed or (mode is not None and self.check_mode)
        info = os.lstat(path)
        if not isinstance(mode, int):
            try:
                mode = int(mode, 8)
            except ValueError:
                try:
                    mode = self._symbolic_mode_to_octal(info, mode)
                except Exception as e:
                    self.fail_json(path=path, msg='mode must be in octal or symbolic form', details=to_native(e))
        if stat.S_ISLNK(info.st_mode) or stat.S_IMODE(info.st_mode) == mode:
            return changed
        if not self.check_mode:
            try:
                os.chmod(path, mode)
            except OSError as e:
                self.fail_json(path=path, msg='chmod failed', details=to_native(e), mode=oct(mode))
        return True

    @classmethod
    def _symbolic_mode_to_octal(cls, info, symbolic):
        mode = stat.S_IMODE(info.st_mode)
        shifts = {'u': 6, 'g': 3, 'o': 0}
        for clause in symbolic.split(','):
            match = re.match(r'^([ugoa]*)((?:[-+=][rwxXst]*[ugo]?)+)$', clause)
            if not match:
                raise ValueError("bad symbolic permission for mode: %s" % clause)
            users = [u for u in (match.group(1) or 'a').replace('a', 'ugo')]
            for operator, perms in re.findall(r'([-+=])([rwxXstugo]*)', match.group(2)):
                for user in users:
                    bits = 0
                    for p in perms:
                        if p in 'ugo':
                            bits |= (mode >> shifts[p] & 7) << shifts[user]
                        elif p == 'X':
                            if stat.S_ISDIR(info.st_mode) or mode & 0o111:
                                bits |= 1 << shifts[user]
                        elif p == 's':
                            bits |= {'u': stat.S_ISUID, 'g': stat.S_ISGID, 'o': 0}[user]
                        elif p == 't':
                            bits |= stat.S_ISVTX if user == 'o' else 0
                        else:
                            bits |= {'r': 4, 'w': 2, 'x': 1}[p] << shifts[user]
                    if operator == '=':
                        mode = mode & ~(7 << shifts[user]) | bits
                    elif operator == '+':
                        mode |= bits
                    else:
                        mode &= ~bits
        return mode

    def set_attributes_if_different(self, path, attributes, changed, diff=None, expand=True):
        return changed

    def set_fs_attributes_if_different(self, file_args, changed, diff=None, expand=True):
        changed = self.set_owner_if_different(file_args['path'], file_args.get('owner'), changed, diff, expand)
        changed = self.set_group_if_different(file_args['path'], file_args.get('group'), changed, diff, expand)
        return self.set_mode_if_different(file_args['path'], file_args.get('mode'), changed, diff, expand)

    set_file_attributes_if_different = set_fs_attributes_if_different
    set_directory_attributes_if_different = set_fs_attributes_if_different

    def check_file_absent_if_check_mode(self, file_path):
        return self.check_mode and not os.path.exists(file_path)

    def get_file_attributes(self, path, include_version=True):
        return {}

    def add_path_info(self, kwargs):
        path = kwargs.get('path', kwargs.get('dest'))
        if path is None or not os.path.lexists(path):
            if path is not None:
                kwargs['state'] = 'absent'
            return kwargs
        info = os.lstat(path)
        kwargs['uid'], kwargs['gid'] = info.st_uid, info.st_gid
        for key, look, number in (('owner', lambda n: pwd.getpwuid(n).pw_name, info.st_uid), ('group', lambda n: grp.getgrgid(n).gr_name, info.st_gid)):
            try:
                kwargs[key] = look(number)
            except KeyError:
                kwargs[key] = str(number)
        kwargs['mode'] = '0%03o' % stat.S_IMODE(info.st_mode)
        kwargs['size'] = info.st_size
        kwargs['state'] = 'link' if os.path.islink(path) else 'directory' if os.path.isdir(path) else 'hard' if info.st_nlink > 1 else 'file'
        return kwargs

    def preserved_copy(self, src, dest):
        shutil.copy2(src, dest)
        info = os.stat(src)
        try:
            os.chown(dest, info.st_uid, info.st_gid)
        except OSError:
            pass

    def append_to_file(self, filename, str):
        with open(os.path.expanduser(os.path.expandvars(filename)), 'a') as f:
            f.write(str)

    def is_executable(self, path):
        return is_executable(path)

    @property
    def safe_eval(self):
        return safe_eval

    def human_to_bytes(self, number, isbits=False):
        return human_to_bytes(number, isbits=isbits)

    def bytes_to_human(self, size):
        return bytes_to_human(size)

def is_executable(path):
    return (os.stat(path)[stat.ST_MODE] & 0o111) != 0

def get_module_path():
    return os.path.dirname(os.path.realpath(__file__))

def get_timestamp():
    return datetime.datetime.now().strftime('%Y-%m-%d %H:%M:%S')
