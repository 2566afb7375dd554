"""ansible.module_utils.urls: open_url, fetch_url, fetch_file and url_argument_spec over urllib."""
import base64 as _base64
import os as _os
import shutil as _shutil
import socket as _socket
import ssl as _ssl
import tempfile as _tempfile
from http import cookiejar  # noqa: F401
from urllib import error as urllib_error, parse as _parse, request as urllib_request

from ansible.module_utils.common.text.converters import to_bytes, to_native

ConnectionError = type('ConnectionError', (Exception,), {})
NoSSLError = SSLValidationError = ConnectionError

def url_argument_spec():
    return dict(url=dict(type='str'), force=dict(type='bool', default=False), http_agent=dict(type='str', default='ansible-httpget'),
                use_proxy=dict(type='bool', default=True), validate_certs=dict(type='bool', default=True), url_username=dict(type='str'),
                url_password=dict(type='str', no_log=True), force_basic_auth=dict(type='bool', default=False), client_cert=dict(type='path'),
                client_key=dict(type='path'), use_gssapi=dict(type='bool', default=False))

def basic_auth_header(username, password):
    return b'Basic %s' % _base64.b64encode(to_bytes('%s:%s' % (username, password or '')))

def open_url(url, data=None, headers=None, method=None, use_proxy=True, force=False, last_mod_time=None, timeout=10, validate_certs=True,
             url_username=None, url_password=None, http_agent='ansible-httpget', force_basic_auth=False, follow_redirects='urllib2',
             client_cert=None, client_key=None, cookies=None, use_gssapi=False, unix_socket=None, ca_path=None, unredirected_headers=None,
             decompress=True, ciphers=None, use_netrc=True):
    parts = _parse.urlsplit(url)
    if '@' in parts.netloc and not url_username:
        credentials, place = parts.netloc.rsplit('@', 1)
        url_username, _, url_password = credentials.partition(':')
        url = _parse.urlunsplit(parts._replace(netloc=place))
        force_basic_auth = True
    context = _ssl.create_default_context(cafile=ca_path)
    if not validate_certs:
        context.check_hostname, context.verify_mode = False, _ssl.CERT_NONE
    if client_cert:
        context.load_cert_chain(client_cert, client_key)
    handlers = [urllib_request.HTTPSHandler(context=context)]
    if not use_proxy:
        handlers.append(urllib_request.ProxyHandler({}))
    if cookies is not None:
        handlers.append(urllib_request.HTTPCookieProcessor(cookies))
    if str(follow_redirects).lower() in ('no', 'none', 'false'):
        handlers.append(_NoRedirect())
    if url_username and not force_basic_auth:
        passwords = urllib_request.HTTPPasswordMgrWithDefaultRealm()
        passwords.add_password(None, url, url_username, url_password)
        handlers += [urllib_request.HTTPBasicAuthHandler(passwords), urllib_request.HTTPDigestAuthHandler(passwords)]
    request = urllib_request.Request(url, data=to_bytes(data) if data is not None else None, headers=dict(headers or {}), method=method)
    request.add_header('User-agent', http_agent)
    if url_username and force_basic_auth:
        request.add_header('Authorization', to_native(basic_auth_header(url_username, url_password)))
    if force:
        request.add_header('cache-control', 'no-cache')
    elif last_mod_time:
        request.add_header('If-Modified-Since', last_mod_time.strftime('%a, %d %b %Y %H:%M:%S GMT'))
    return urllib_request.build_opener(*handlers).open(request, timeout=timeout)

class _NoRedirect(urllib_request.HTTPRedirectHandler):
    def redirect_request(self, *args, **kwargs):
        return None

def fetch_url(module, url, data=None, headers=None, method=None, use_proxy=None, force=False, last_mod_time=None, timeout=10, use_gssapi=False,
              unix_socket=None, ca_path=None, cookies=None, unredirected_headers=None, decompress=True, ciphers=None, use_netrc=True):
    p = module.params
    info = dict(url=url, status=-1)
    response = None
    try:
        response = open_url(url, data=data, headers=headers, method=method, use_proxy=p.get('use_proxy', True) if use_proxy is None else use_proxy,
                            force=force or bool(p.get('force')), last_mod_time=last_mod_time, timeout=timeout, validate_certs=p.get('validate_certs', True),
                            url_username=p.get('url_username'), url_password=p.get('url_password'), http_agent=p.get('http_agent') or 'ansible-httpget',
                            force_basic_auth=bool(p.get('force_basic_auth')), client_cert=p.get('client_cert'), client_key=p.get('client_key'),
                            follow_redirects=p.get('follow_redirects', 'urllib2'), cookies=cookies, ca_path=ca_path)
        info.update((k.lower(), v) for k, v in response.info().items())
        info.update(msg='OK (%s bytes)' % response.headers.get('Content-Length', 'unknown'), url=response.geturl(), status=response.code)
    except urllib_error.HTTPError as e:
        info.update((k.lower(), v) for k, v in e.info().items())
        info.update(msg=to_native(e), body=e.read(), status=e.code)
    except (urllib_error.URLError, ValueError, _socket.error) as e:
        info.update(msg='Request failed: %s' % to_native(e), status=-1)
    except Exception as e:
        info.update(msg='An unknown error occurred: %s' % to_native(e), status=-1)
    return response, info

def fetch_file(module, url, data=None, headers=None, method=None, use_proxy=True, force=False, last_mod_time=None, timeout=10, **kwargs):
    handle, path = _tempfile.mkstemp(prefix=_os.path.basename(_parse.urlsplit(url).path), dir=module.tmpdir)
    module.add_cleanup_file(path)
    response, info = fetch_url(module, url, data, headers, method, use_proxy, force, last_mod_time, timeout)
    if not response:
        module.fail_json(msg='Failure downloading %s, %s' % (url, info['msg']))
    with _os.fdopen(handle, 'wb') as out:
        _shutil.copyfileobj(response, out)
    return path

def generic_urlparse(parts):
    return dict(parts._asdict())

def get_response_filename(response):
    return _os.path.basename(_parse.urlsplit(response.geturl()).path) or None

