// Keys with a prefix of their issuer: what each looks like, and what only looks like it.
import { ALNUM, BASE32, BASE64URL, base64, DIGITS, digits, draw, HEX, LOWER, number, UPPER, words } from './draw.mjs';

/** Look-alikes that every key with a prefix has: placeholders, names, and keys that are too short. */
const lookAlikes = (prefix, shortest) => [
  () => prefix,
  () => `${prefix}...`,
  () => `${prefix}${'x'.repeat(shortest + 4)}`,
  () => `${prefix}${'X'.repeat(shortest + 4)}`,
  () => `${prefix}${'*'.repeat(shortest)}`,
  () => `${prefix}<your-key>`,
  random => `${prefix}${words(random, 8, prefix.includes('_') ? '_' : '-')}`,
  random => `${prefix}${draw(random, ALNUM, random.between(3, Math.min(shortest - 1, 11)))}`,
  random => `my${prefix}${draw(random, ALNUM, shortest)}`,
  () => `the prefix ${prefix} marks a key`,
];

const prefixed = (prefix, alphabet, length) => random => prefix + draw(random, alphabet, length);

export const keys = {
  anthropic: {
    positives: [
      random => `sk-ant-api03-${draw(random, BASE64URL, 93)}AA`,
      random => `sk-ant-admin01-${draw(random, BASE64URL, 93)}AA`,
      random => `sk-ant-oat01-${draw(random, BASE64URL, 86)}`,
      random => `sk-ant-api03-${draw(random, ALNUM, random.between(24, 60))}`,
    ],
    negatives: [...lookAlikes('sk-ant-', 20), ...lookAlikes('sk-ant-api03-', 20).slice(0, 7)],
  },
  openai: {
    positives: [
      random => `sk-proj-${draw(random, BASE64URL, 74)}T3BlbkFJ${draw(random, BASE64URL, 74)}`,
      random => `sk-svcacct-${draw(random, BASE64URL, 58)}T3BlbkFJ${draw(random, BASE64URL, 58)}`,
      random => `sk-admin-${draw(random, BASE64URL, 58)}T3BlbkFJ${draw(random, BASE64URL, 58)}`,
      random => `sk-${draw(random, ALNUM, 20)}T3BlbkFJ${draw(random, ALNUM, 20)}`,
      random => `sk-or-v1-${draw(random, HEX, 64)}`,
      random => `sk-${draw(random, HEX, 32)}`,
    ],
    negatives: [
      ...lookAlikes('sk-proj-', 20),
      ...lookAlikes('sk-', 32),
      random => `task-${draw(random, ALNUM, 40)}`,
      random => `sk-${words(random, 6, '-')}`,
    ],
  },
  github: {
    positives: [
      ...['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'].map(prefix => prefixed(prefix, ALNUM, 36)),
      random => `github_pat_${draw(random, ALNUM, 22)}_${draw(random, ALNUM, 59)}`,
    ],
    negatives: [
      ...lookAlikes('ghp_', 36),
      ...lookAlikes('github_pat_', 36),
      random => `${words(random, 1)}_ghp_${draw(random, ALNUM, 36)}`,
      random => `ghx_${draw(random, ALNUM, 36)}`,
    ],
  },
  gitlab: {
    positives: [
      prefixed('glpat-', BASE64URL, 20),
      prefixed('gldt-', BASE64URL, 20),
      prefixed('glrt-', BASE64URL, 20),
      random => `glptt-${draw(random, HEX, 40)}`,
      random => `glpat-${draw(random, BASE64URL, 27)}.01.${draw(random, LOWER + DIGITS, 9)}`,
    ],
    negatives: [...lookAlikes('glpat-', 20), random => `glxat-${draw(random, BASE64URL, 20)}`],
  },
  google: {
    positives: [prefixed('AIza', BASE64URL, 35)],
    negatives: [
      () => 'AIza',
      () => `AIza${'x'.repeat(35)}`,
      random => `AIza${draw(random, ALNUM, 34)}`,
      random => `AIza${draw(random, ALNUM, 36)}`,
      random => `xAIza${draw(random, ALNUM, 35)}`,
      random => `aiza${draw(random, ALNUM, 35)}`,
      random => `AIza-${words(random, 4, '-')}`,
    ],
  },
  huggingface: {
    positives: [prefixed('hf_', UPPER + LOWER, 34), prefixed('hf_', ALNUM, 34)],
    negatives: [
      ...lookAlikes('hf_', 30),
      random => `hf_${words(random, 4, '_')}_${digits(random, 20)}`,
      random => `xhf_${draw(random, ALNUM, 34)}`,
    ],
  },
  npm: {
    positives: [prefixed('npm_', ALNUM, 36)],
    negatives: [
      ...lookAlikes('npm_', 36),
      () => 'npm_config_registry',
      random => `npm_package_dependencies_${words(random, 3, '_')}`,
      random => `npm_${draw(random, ALNUM, 37)}`,
    ],
  },
  slack: {
    positives: [
      random => `xoxb-${number(random, 12)}-${number(random, 13)}-${draw(random, ALNUM, 24)}`,
      random => `xoxp-${number(random, 12)}-${number(random, 12)}-${number(random, 12)}-${draw(random, HEX, 32)}`,
      random => `xapp-1-A${draw(random, UPPER + DIGITS, 10)}-${number(random, 13)}-${draw(random, HEX, 64)}`,
      random => `xoxe.xoxp-1-${draw(random, ALNUM, 160)}`,
      random => `xoxs-${number(random, 11)}-${number(random, 11)}-${draw(random, HEX, 10)}`,
    ],
    negatives: [...lookAlikes('xoxb-', 16), ...lookAlikes('xapp-', 16), random => `xoxz-${draw(random, ALNUM, 30)}`],
  },
  stripe: {
    positives: [
      ...['sk_live_', 'sk_test_', 'rk_live_', 'pk_test_'].map(prefix => prefixed(prefix, ALNUM, 24)),
      random => `sk_live_51${draw(random, ALNUM, 97)}`,
      random => `whsec_${draw(random, ALNUM, 32)}`,
      random => `whsec_${base64(random, 24)}`,
    ],
    negatives: [
      ...lookAlikes('sk_live_', 16),
      ...lookAlikes('whsec_', 24),
      random => `task_test_${draw(random, ALNUM, 24)}`,
      random => `sk_life_${draw(random, ALNUM, 24)}`,
    ],
  },
  'aws-key-id': {
    positives: [prefixed('AKIA', BASE32, 16), prefixed('ASIA', BASE32, 16), prefixed('ABIA', BASE32, 16)],
    negatives: [
      () => 'AKIA',
      () => `AKIA${'X'.repeat(16)}`,
      random => `AKIA${draw(random, BASE32, 15)}`,
      random => `AKIA${draw(random, BASE32, 17)}`,
      random => `AKIA${draw(random, LOWER, 16)}`,
      random => `X${draw(random, UPPER, 1)}AKIA${draw(random, BASE32, 16)}`,
      random => `AROA${draw(random, BASE32, 16)}`,
      random => `AKIA${draw(random, BASE32, 8)}-${draw(random, BASE32, 8)}`,
      random => `akia${draw(random, BASE32, 16).toLowerCase()}`,
      random => `AKIA0189${draw(random, BASE32, 12)}`,
    ],
  },
  'slack-webhook': {
    positives: [
      random => [
        'https://hooks.slack.com/services/',
        `T${draw(random, UPPER + DIGITS, 10)}/B${draw(random, UPPER + DIGITS, 10)}/${draw(random, ALNUM, 24)}`,
        '',
      ],
      random => [
        'https://hooks.slack.com/workflows/',
        `T${draw(random, UPPER + DIGITS, 10)}/A${draw(random, UPPER + DIGITS, 10)}/${number(random, 18)}/${draw(random, ALNUM, 24)}`,
        '',
      ],
      random => [
        'hooks.slack.com/triggers/',
        `E${draw(random, UPPER + DIGITS, 10)}/${number(random, 13)}/${draw(random, HEX, 32)}`,
        '',
      ],
    ],
    negatives: [
      () => 'https://hooks.slack.com/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX',
      () => 'https://hooks.slack.com/services/<your-path>',
      () => 'https://hooks.slack.com/services/',
      () => 'https://api.slack.com/messaging/webhooks',
      random => `https://slack.com/services/T${draw(random, UPPER + DIGITS, 10)}/B${draw(random, UPPER + DIGITS, 10)}`,
      random =>
        `https://hooks.example.com/services/T${draw(random, UPPER, 10)}/B${draw(random, UPPER, 10)}/${draw(random, ALNUM, 24)}`,
      random => `https://hooks.slack.com/help/T${draw(random, UPPER + DIGITS, 10)}/${draw(random, ALNUM, 24)}`,
    ],
  },
};
