// Secrets that are told by what stands around them or by their own form. A positive is the secret alone, or what stands
// before it, the secret, and what stands after it.
import { ALNUM, BASE32, BASE64, BASE64URL, base64, base64url, draw, HEX, LOWER, uuid, word, words } from './draw.mjs';

const SUBJECTS = ['{"sub":"1234567890","iat":1516239022}', '{"iss":"https://id.example","aud":"api","exp":1893456000}'];
const signature = (random, bytes) => base64(random, bytes).replace(/=+$/, '').replaceAll('+', '-').replaceAll('/', '_');
const jws = (random, header, bytes) =>
  `${base64url(header)}.${base64url(random.pick(SUBJECTS))}.${signature(random, bytes)}`;
const jwe = (random, header, keyBytes) =>
  [base64url(header), ...[keyBytes, 12, 80, 16].map(bytes => (bytes === 0 ? '' : signature(random, bytes)))].join('.');

const user = random => random.pick(['admin', 'svc-agent', 'postgres', 'ada%40example.com', 'x-access-token', '']);
const password = random => draw(random, `${ALNUM}-._~!$&'()*+;=`, random.between(8, 24)).replace(/^[$%*x]/, 'q');
const host = random => `${word(random)}.example.${random.pick(['com', 'org', 'net'])}`;
const SCHEMES = ['https', 'http', 'postgres', 'postgresql', 'redis', 'mongodb+srv', 'amqp', 'ftp', 'mysql'];

const pem = (label, body) => `-----BEGIN ${label}-----\n${body}\n-----END ${label}-----`;
const lines = (random, bytes) =>
  base64(random, bytes)
    .match(/.{1,64}/g)
    .join('\n');

const awsSecret = random => draw(random, BASE64, 40);
const awsKeyId = random => `AKIA${draw(random, BASE32, 16)}`;

export const secrets = {
  'url-credentials': {
    positives: [
      random => [`${random.pick(SCHEMES)}://`, `${user(random)}:${password(random)}`, `@${host(random)}/path`],
      random => [`${random.pick(SCHEMES)}://`, `${user(random)}:${password(random)}`, `@${host(random)}:5432/db?ssl=1`],
      random => ['git clone https://', `${word(random)}:${draw(random, HEX, 32)}`, '@git.example.com/a/b.git'],
      random => ['mongodb://', `${word(random)}:${draw(random, ALNUM, 14)}`, '@h1:27017,h2:27017/admin'],
      random => ['redis://', `:${draw(random, ALNUM, 20)}`, '@[2001:db8::1]:6379/0'],
    ],
    negatives: [
      random => `https://${host(random)}/path?x=1`,
      random => `https://${host(random)}:8443/a@b`,
      random => `http://localhost:${random.between(1000, 9999)}/u:p@x`,
      random => `ssh://git@${host(random)}/a/b.git`,
      random => `https://${word(random)}@${host(random)}/`,
      random => `postgres://$USER:$PASSWORD@${host(random)}/db`,
      random => `postgres://\${USER}:\${PASSWORD}@${host(random)}/db`,
      random => `postgres://<user>:<password>@${host(random)}/db`,
      random => `https://${word(random)}:***@${host(random)}/`,
      random => `${word(random)}:${draw(random, ALNUM, 12)}@${host(random)}`,
      random => `https://${host(random)}:443,${word(random)}@example.com`,
      () => 'the form is scheme://user:password@host',
      random => `see https://${host(random)} or write to a:b@c`,
    ],
  },
  'private-key': {
    positives: [
      random => pem('PRIVATE KEY', lines(random, 400)),
      random => pem('RSA PRIVATE KEY', lines(random, 600)),
      random => pem('EC PRIVATE KEY', lines(random, 118)),
      random => pem('OPENSSH PRIVATE KEY', lines(random, 300)),
      random => pem('ENCRYPTED PRIVATE KEY', lines(random, 500)),
      random => pem('PGP PRIVATE KEY BLOCK', `\n${lines(random, 300)}\n=${draw(random, BASE64, 4)}`),
      random =>
        pem(
          'RSA PRIVATE KEY',
          `Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,${draw(random, HEX.toUpperCase(), 32)}\n\n${lines(random, 300)}`,
        ),
      random => pem('PRIVATE KEY', lines(random, 200)).replaceAll('\n', '\\n'),
      random => pem('PRIVATE KEY', lines(random, 200)).replaceAll('\n', '\r\n'),
    ],
    negatives: [
      random => pem('PUBLIC KEY', lines(random, 200)),
      random => pem('CERTIFICATE', lines(random, 500)),
      random => pem('RSA PUBLIC KEY', lines(random, 200)),
      random => pem('PGP PUBLIC KEY BLOCK', lines(random, 200)),
      random => pem('CERTIFICATE REQUEST', lines(random, 200)),
      () => pem('PRIVATE KEY', '...'),
      () => '-----BEGIN PRIVATE KEY-----',
      () => pem('PRIVATE KEY', '<your key here>'),
      () => '----- BEGIN PRIVATE KEY -----',
      random => `----------\n${lines(random, 60)}\n----------`,
    ],
  },
  'aws-secret': {
    positives: [
      random => ['aws_secret_access_key = ', awsSecret(random), ''],
      random => ['AWS_SECRET_ACCESS_KEY=', awsSecret(random), '\nAWS_REGION=eu-west-1'],
      random => ['{"secretAccessKey":"', awsSecret(random), '"}'],
      random => ['"SecretAccessKey": "', awsSecret(random), '",'],
      random => [[{ 'aws-key-id': awsKeyId(random) }, ','], awsSecret(random), '\r\n'],
      random => [['id ', { 'aws-key-id': awsKeyId(random) }, ' with '], awsSecret(random), ' in eu-west-1'],
      random => ['secret key: ', awsSecret(random), '.'],
      random => ['{\\"secret_key\\":\\"', awsSecret(random), '\\"}'],
    ],
    negatives: [
      random => `commit ${draw(random, HEX, 40)}`,
      random => `${awsKeyId(random)} at ${draw(random, HEX, 40)}`,
      random => `secret key ${words(random, 6)}`,
      random => `the key is ${draw(random, BASE64, 40)}`,
      random => `aws_secret_access_key = ${draw(random, BASE64, 39)}`,
      random => `aws_secret_access_key = ${draw(random, BASE64, 44)}`,
      () => `aws_secret_access_key=${'x'.repeat(40)}`,
      () => 'aws_secret_access_key=<your-secret-access-key>',
      random => `sha1 ${draw(random, HEX, 40)} of the secret key file`,
      random => `access_key=${draw(random, ALNUM, 40)}`,
    ],
  },
  'azure-key': {
    positives: [
      random => [
        'DefaultEndpointsProtocol=https;AccountName=logs;AccountKey=',
        base64(random, 64),
        ';EndpointSuffix=core.example',
      ],
      random => ['Endpoint=sb://bus.example/;SharedAccessKeyName=root;SharedAccessKey=', base64(random, 32), ''],
      random => ['HostName=hub.example;SharedAccessKeyName=owner;SharedAccessKey=', base64(random, 32), ';x'],
      random => ['AZURE_STORAGE_KEY=', base64(random, 64), ''],
      random => ['"accountKey": "', base64(random, 64), '"'],
    ],
    negatives: [
      random => `sha512-${base64(random, 64)}`,
      random => `"integrity": "sha512-${base64(random, 64)}"`,
      random => `sha256-${base64(random, 32)}`,
      random => `AccountKey=${base64(random, 32)}`,
      random => `SharedAccessKey=${base64(random, 16)}`,
      () => 'AccountKey=<key>;EndpointSuffix=core.example',
      random => `value=${base64(random, 64)}`,
      random => `AccountName=${word(random)};EndpointSuffix=core.example`,
      random => `digest: ${base64(random, 64)}`,
    ],
  },
  'azure-sas': {
    positives: [
      random => [
        'https://logs.example/c/b?sv=2024-11-04&se=2026-01-01T00%3A00%3A00Z&sr=b&sp=r&sig=',
        encodeURIComponent(base64(random, 32)),
        '',
      ],
      random => ['?sig=', encodeURIComponent(base64(random, 32)), '&sv=2024-11-04&sp=rl'],
      random => ['SharedAccessSignature sr=hub.example&sig=', encodeURIComponent(base64(random, 32)), '&se=1893456000'],
      random => ['sp=r&sig=', base64(random, 32), '&sr=b'],
    ],
    negatives: [
      random => `?sig=${draw(random, HEX, 40)}`,
      random => `?sig=${encodeURIComponent(base64(random, 20))}`,
      random => `config=${encodeURIComponent(base64(random, 32))}`,
      () => '?sv=2024-11-04&sig=<signature>',
      random => `?signature=${encodeURIComponent(base64(random, 32))}`,
      random => `sig=${word(random)}&x=1`,
      random => `?sig=${encodeURIComponent(base64(random, 48))}`,
      random => `the sig = ${base64(random, 32)}`,
    ],
  },
  jwe: {
    positives: [
      random => jwe(random, '{"alg":"RSA-OAEP","enc":"A256GCM"}', 256),
      random => jwe(random, '{"alg":"dir","enc":"A128CBC-HS256"}', 0),
      random => jwe(random, '{"typ":"JWT","enc":"A256GCM","alg":"A256KW"}', 40),
    ],
    negatives: [
      random => jws(random, '{"alg":"HS256","typ":"JWT"}', 32),
      random => `${base64url('{"a":1}')}.${[1, 2, 3, 4].map(() => draw(random, BASE64URL, 20)).join('.')}`,
      random => `${base64url('{"alg":"dir","enc":"A256GCM"}')}.${draw(random, BASE64URL, 40)}`,
      random => words(random, 5, '.'),
      () => `${base64url('{"alg":"dir","enc":"A256GCM"}')}....`,
    ],
  },
  jwt: {
    positives: [
      random => jws(random, '{"alg":"HS256","typ":"JWT"}', 32),
      random => jws(random, '{"typ":"JWT","alg":"RS256","kid":"1"}', 256),
      random => jws(random, '{"alg":"ES256"}', 64),
      random => jws(random, '{"kid":"key-7","alg":"EdDSA"}', 64),
      random => `${base64url('{"alg":"HS256","zip":"DEF"}')}.${draw(random, BASE64URL, 60)}.${signature(random, 32)}`,
    ],
    negatives: [
      random => base64url(`{"cursor":"${draw(random, ALNUM, 20)}"}`),
      () => `${base64url('{"a":1}')}.json.gz`,
      () => `${base64url('{"alg":"HS256"}')}.${base64url('{"sub":"1"}')}`,
      () => `${base64url('{"alg":"HS256"}')}.${base64url('{"sub":"1"}')}.`,
      () => 'eyJhbGciOi….eyJzdWIiOi….signature',
      () => 'eyJ...',
      random => `${base64url('{"v":2}')}.${draw(random, BASE64URL, 30)}.${draw(random, BASE64URL, 30)}`,
      () => `key${base64url('{"alg":"none"}')}`,
      random => words(random, 3, '.'),
    ],
  },
  bearer: {
    positives: [
      random => ['Authorization: Bearer ', draw(random, BASE64URL, 43).replace(/^.{8}/, 'a1b2c3d4'), ''],
      random => ['authorization: bearer ', draw(random, HEX, 40), '\nAccept: */*'],
      random => ['-H "Authorization: Bearer ', uuid(random), '" https://api.example'],
      random => ['{"Authorization":"Bearer ', `${draw(random, ALNUM, 12)}7x9${draw(random, ALNUM, 12)}`, '"}'],
      random => ['BEARER ', `${draw(random, LOWER, 4)}42${draw(random, LOWER, 14)}`, ' was refused'],
      random => ['Bearer ', `${draw(random, ALNUM, 20)}19${draw(random, ALNUM, 8)}==`, ''],
    ],
    negatives: [
      random => `Bearer of ${words(random, 3)}`,
      random => `bearer ${words(random, 2)}`,
      () => 'Authorization: Bearer <token>',
      () => 'Authorization: Bearer $TOKEN',
      () => 'Bearer token-based-authentication',
      () => 'the bearer authentication scheme of RFC 6750',
      () => 'WWW-Authenticate: Bearer realm="example"',
      random => `forbearer ${draw(random, HEX, 40)}`,
      () => 'Bearer AuthenticationSchemeProvider',
      () => 'Bearer YOUR_TOKEN_HERE',
      random => `bearer\n${words(random, 2)}`,
      () => 'Bearer oauth2-client-credentials',
    ],
  },
};
