/** The native modules of collections beyond the system: clusters, certificates, disks, archives and texts. */
import type { Params } from '../params/index.ts'
import type { Module } from './api.ts'
import archive from './archives/archive.ts'
import helm from './cluster/helm.ts'
import helmInfo from './cluster/helm-info.ts'
import helmPlugin from './cluster/helm-plugin.ts'
import helmPluginInfo from './cluster/helm-plugin-info.ts'
import helmPull from './cluster/helm-pull.ts'
import helmRepository from './cluster/helm-repository.ts'
import helmTemplate from './cluster/helm-template.ts'
import k8s from './cluster/k8s.ts'
import k8sClusterInfo from './cluster/k8s-cluster-info.ts'
import k8sCp from './cluster/k8s-cp.ts'
import k8sDrain from './cluster/k8s-drain.ts'
import k8sExec from './cluster/k8s-exec.ts'
import k8sInfo from './cluster/k8s-info.ts'
import k8sJsonPatch from './cluster/k8s-json-patch.ts'
import k8sLog from './cluster/k8s-log.ts'
import k8sRollback from './cluster/k8s-rollback.ts'
import k8sScale from './cluster/k8s-scale.ts'
import k8sService from './cluster/k8s-service.ts'
import k8sTaint from './cluster/k8s-taint.ts'
import certificateCompleteChain from './crypto/certificate-complete-chain.ts'
import getCertificate from './crypto/get-certificate.ts'
import opensshCert from './crypto/openssh-cert.ts'
import opensshKeypair from './crypto/openssh-keypair.ts'
import opensslCsr from './crypto/openssl-csr.ts'
import opensslCsrInfo from './crypto/openssl-csr-info.ts'
import opensslCsrPipe from './crypto/openssl-csr-pipe.ts'
import opensslDhparam from './crypto/openssl-dhparam.ts'
import opensslPkcs12 from './crypto/openssl-pkcs12.ts'
import opensslPrivatekey from './crypto/openssl-privatekey.ts'
import opensslPrivatekeyConvert from './crypto/openssl-privatekey-convert.ts'
import opensslPrivatekeyInfo from './crypto/openssl-privatekey-info.ts'
import opensslPrivatekeyPipe from './crypto/openssl-privatekey-pipe.ts'
import opensslPublickey from './crypto/openssl-publickey.ts'
import opensslPublickeyInfo from './crypto/openssl-publickey-info.ts'
import opensslSignature from './crypto/openssl-signature.ts'
import opensslSignatureInfo from './crypto/openssl-signature-info.ts'
import x509Certificate from './crypto/x509-certificate.ts'
import x509CertificateInfo from './crypto/x509-certificate-info.ts'
import x509CertificatePipe from './crypto/x509-certificate-pipe.ts'
import x509Crl from './crypto/x509-crl.ts'
import x509CrlInfo from './crypto/x509-crl-info.ts'
import filesystem from './disks/filesystem.ts'
import lvg from './disks/lvg.ts'
import lvol from './disks/lvol.ts'
import parted from './disks/parted.ts'
import bundler from './packages/bundler.ts'
import dnfConfigManager from './packages/dnf-config-manager.ts'
import gem from './packages/gem.ts'
import npm from './packages/npm.ts'
import pipx from './packages/pipx.ts'
import snap from './packages/snap.ts'
import yarn from './packages/yarn.ts'
import zypperRepository from './packages/zypper-repository.ts'
import acl from './system/acl.ts'
import at from './system/at.ts'
import capabilities from './system/capabilities.ts'
import cronvar from './system/cronvar.ts'
import firewalld from './system/firewalld.ts'
import firewalldInfo from './system/firewalld-info.ts'
import interfacesFile from './system/interfaces-file.ts'
import kernelBlacklist from './system/kernel-blacklist.ts'
import nmcli from './system/nmcli.ts'
import sefcontext from './system/sefcontext.ts'
import selinuxPermissive from './system/selinux-permissive.ts'
import seport from './system/seport.ts'
import sshConfig from './system/ssh-config.ts'
import xattr from './system/xattr.ts'
import gitConfig from './texts/git-config.ts'
import htpasswd from './texts/htpasswd.ts'
import make from './texts/make.ts'
import patch from './texts/patch.ts'
import readCsv from './texts/read-csv.ts'
import sudoers from './texts/sudoers.ts'
import xml from './texts/xml.ts'

const plain = <P extends Params>(module: Module<P>): Module => module as unknown as Module

export const FURTHER_MODULES: readonly Module[] = [
  // clusters
  plain(helmPull),
  plain(helmTemplate),
  plain(helmPluginInfo),
  plain(helmPlugin),
  plain(k8sClusterInfo),
  plain(k8sCp),
  plain(k8sLog),
  plain(k8sService),
  plain(k8sRollback),
  plain(k8sJsonPatch),
  plain(k8sTaint),
  plain(helm),
  plain(helmInfo),
  plain(helmRepository),
  plain(k8s),
  plain(k8sDrain),
  plain(k8sExec),
  plain(k8sInfo),
  plain(k8sScale),
  // keys and certificates
  plain(opensslPkcs12),
  plain(getCertificate),
  plain(x509CertificatePipe),
  plain(opensslCsrPipe),
  plain(x509CrlInfo),
  plain(x509Crl),
  plain(opensslSignatureInfo),
  plain(opensslSignature),
  plain(opensslDhparam),
  plain(opensslPublickey),
  plain(opensslPrivatekeyInfo),
  plain(opensslPrivatekeyPipe),
  plain(opensslPrivatekeyConvert),
  plain(certificateCompleteChain),
  plain(opensslPublickeyInfo),
  plain(opensslCsrInfo),
  plain(opensshKeypair),
  plain(opensshCert),
  plain(opensslCsr),
  plain(opensslPrivatekey),
  plain(x509Certificate),
  plain(x509CertificateInfo),
  // disks
  plain(lvol),
  plain(lvg),
  plain(filesystem),
  plain(parted),
  // texts, files and jobs
  plain(acl),
  plain(at),
  plain(gitConfig),
  plain(htpasswd),
  plain(make),
  plain(patch),
  plain(readCsv),
  plain(sudoers),
  plain(xml),
  // archives and packages
  plain(yarn),
  plain(bundler),
  plain(pipx),
  plain(snap),
  plain(zypperRepository),
  plain(dnfConfigManager),
  plain(archive),
  plain(gem),
  plain(npm),
  // the system
  plain(firewalldInfo),
  plain(firewalld),
  plain(sshConfig),
  plain(nmcli),
  plain(selinuxPermissive),
  plain(seport),
  plain(sefcontext),
  plain(kernelBlacklist),
  plain(xattr),
  plain(capabilities),
  plain(interfacesFile),
  plain(cronvar),
]
