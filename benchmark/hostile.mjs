// Texts on which a backtracking pattern takes time that grows faster than they do, or that nearly match everywhere. Each
// is a function of its length.

const repeated = piece => length => piece.repeat(Math.ceil(length / piece.length)).slice(0, length);

function drawn(alphabet) {
  return length => {
    let state = 1;
    let text = '';
    for (let i = 0; i < length; i++) {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      text += alphabet[Math.floor((state / 2 ** 32) * alphabet.length)];
    }
    return text;
  };
}

const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** `[name, make]` */
export const HOSTILE = [
  ['base64', drawn(BASE64)],
  ['the letter a', repeated('a')],
  ['digits and spaces', drawn('0123456789 ')],
  ['one digit', repeated('1')],
  ['digits apart', repeated('1 ')],
  ['eyJ', repeated('eyJ')],
  ['-eyJ', repeated('-eyJ')],
  ['-eyJ and dots', repeated('-eyJaaaaaaaa.')],
  ['+1 and a space', repeated('+1 ')],
  ['brackets', repeated('(12) ')],
  ['@', repeated('@')],
  ['a@', repeated('a@')],
  ['a@b.', repeated('a@b.')],
  ['Bearer', repeated('Bearer ')],
  ['sk-proj-', repeated('sk-proj-')],
  ['key ids', repeated('AKIAIOSFODNN7EXAMPLE ')],
  ['://a:b@', repeated('x://a:b@')],
  ['/T', repeated('/T')],
  ['BEGIN lines', repeated('-----BEGIN PRIVATE KEY-----\n')],
  ['dashes', repeated('-')],
  ['IBAN groups', repeated('DE89 3704 ')],
  ['phone 1', repeated('phone 1 ')],
];
