/** Object identifiers → the names that results and openssl have for them. */

export const ATTRIBUTES: Readonly<Record<string, string>> = {
  '2.5.4.3': 'commonName',
  '2.5.4.4': 'surname',
  '2.5.4.5': 'serialNumber',
  '2.5.4.6': 'countryName',
  '2.5.4.7': 'localityName',
  '2.5.4.8': 'stateOrProvinceName',
  '2.5.4.9': 'streetAddress',
  '2.5.4.10': 'organizationName',
  '2.5.4.11': 'organizationalUnitName',
  '2.5.4.12': 'title',
  '2.5.4.17': 'postalCode',
  '2.5.4.42': 'givenName',
  '2.5.4.43': 'initials',
  '2.5.4.46': 'dnQualifier',
  '2.5.4.65': 'pseudonym',
  '2.5.4.97': 'organizationIdentifier',
  '1.2.840.113549.1.9.1': 'emailAddress',
  '0.9.2342.19200300.100.1.1': 'userId',
  '0.9.2342.19200300.100.1.25': 'domainComponent',
}

export const SIGNATURES: Readonly<Record<string, string>> = {
  '1.2.840.113549.1.1.4': 'md5WithRSAEncryption',
  '1.2.840.113549.1.1.5': 'sha1WithRSAEncryption',
  '1.2.840.113549.1.1.10': 'rsassaPss',
  '1.2.840.113549.1.1.11': 'sha256WithRSAEncryption',
  '1.2.840.113549.1.1.12': 'sha384WithRSAEncryption',
  '1.2.840.113549.1.1.13': 'sha512WithRSAEncryption',
  '1.2.840.113549.1.1.14': 'sha224WithRSAEncryption',
  '1.2.840.10045.4.1': 'ecdsa-with-SHA1',
  '1.2.840.10045.4.3.1': 'ecdsa-with-SHA224',
  '1.2.840.10045.4.3.2': 'ecdsa-with-SHA256',
  '1.2.840.10045.4.3.3': 'ecdsa-with-SHA384',
  '1.2.840.10045.4.3.4': 'ecdsa-with-SHA512',
  '1.3.101.112': 'ED25519',
  '1.3.101.113': 'ED448',
}

export const PURPOSES: Readonly<Record<string, string>> = {
  '1.3.6.1.5.5.7.3.1': 'TLS Web Server Authentication',
  '1.3.6.1.5.5.7.3.2': 'TLS Web Client Authentication',
  '1.3.6.1.5.5.7.3.3': 'Code Signing',
  '1.3.6.1.5.5.7.3.4': 'E-mail Protection',
  '1.3.6.1.5.5.7.3.8': 'Time Stamping',
  '1.3.6.1.5.5.7.3.9': 'OCSP Signing',
  '2.5.29.37.0': 'Any Extended Key Usage',
  '1.3.6.1.5.5.7.3.17': 'ipsec Internet Key Exchange',
  '1.3.6.1.5.2.3.4': 'PKINIT Client Auth',
  '1.3.6.1.5.2.3.5': 'Signing KDC Response',
}

/** Bits of a key's usage in their order: how openssl writes them, and how results do. */
export const USAGES: readonly (readonly [string, string])[] = [
  ['digitalSignature', 'Digital Signature'],
  ['nonRepudiation', 'Non Repudiation'],
  ['keyEncipherment', 'Key Encipherment'],
  ['dataEncipherment', 'Data Encipherment'],
  ['keyAgreement', 'Key Agreement'],
  ['keyCertSign', 'Certificate Sign'],
  ['cRLSign', 'CRL Sign'],
  ['encipherOnly', 'Encipher Only'],
  ['decipherOnly', 'Decipher Only'],
]

/** Node's names of kinds of keys → those of results. */
export const KEY_TYPES: Readonly<Record<string, string>> = {
  rsa: 'RSA',
  dsa: 'DSA',
  ec: 'ECC',
  ed25519: 'Ed25519',
  ed448: 'Ed448',
  x25519: 'X25519',
  x448: 'X448',
}
