/** Our own ansible.module_utils: the names under which modules import it, and the sources behind them. */
import basic from './shim/basic.py'
import collections from './shim/collections_.py'
import dicts from './shim/dicts.py'
import factsUtils from './shim/facts_utils.py'
import misc from './shim/misc.py'
import process from './shim/process.py'
import respawn from './shim/respawn.py'
import six from './shim/six.py'
import start from './shim/start.py'
import text from './shim/text.py'
import urls from './shim/urls.py'
import validation from './shim/validation.py'

/** The program that reads a bundle and runs it. */
export const STARTER: string = start

const UTILS = 'ansible.module_utils'

/** Dotted name → Python source. Packages in between are made up by the starter. */
export const SHIM: ReadonlyMap<string, string> = new Map(
  Object.entries({
    basic,
    six,
    urls,
    _text: text,
    'facts.utils': factsUtils,
    errors: misc,
    'common.text.converters': text,
    'common.text.formatters': validation,
    'common._utils': process,
    'common.collections': collections,
    'common._collections_compat': collections,
    'common.dict_transformations': dicts,
    'common.process': process,
    'common.locale': process,
    'common.sys_info': process,
    'common.validation': validation,
    'common.parameters': misc,
    'common.file': misc,
    'common.warnings': misc,
    'common.respawn': respawn,
    'common.arg_spec': misc,
    'compat.version': misc,
    'parsing.convert_bool': validation,
    ansible_release: "__version__ = '2.18.0'\n__author__ = 'Ansible, Inc.'\n__codename__ = 'Fool in the Rain'\n",
  }).map(([name, source]) => [`${UTILS}.${name}`, source]),
)
