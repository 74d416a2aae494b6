// Changed records: none that changes what is signed or checked is valid. TAPEPROOF_SEED repeats a run.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { verifyJson } from 'tapeproof/verify';
import { mutate, reason } from './random/mutation.mjs';
import { Random, runSeed } from './random/prng.mjs';
import { HMAC_KEY, SIGNER, sealedRecord } from './random/record.mjs';

const seed = runSeed();
const records = Number(process.env.TAPEPROOF_RECORDS ?? 10);
const places = Number(process.env.TAPEPROOF_PLACES ?? 300);

it(`mutants of ${records} records, ${places} each (seed ${seed})`, t => {
  const counts = new Map();
  const count = what => counts.set(what, (counts.get(what) ?? 0) + 1);
  for (let index = 0, done = 0; done < records; index += 1) {
    const random = new Random(seed, index);
    const record = sealedRecord(random);
    if (record.manifest.signature === null || record.events.length === 0) continue;
    done += 1;
    const text = JSON.stringify(record);
    const verified = source => verifyJson(source, HMAC_KEY, { expectedPublicKey: SIGNER.publicKey });
    assert.equal(verified(text).verdict, 'valid');
    for (let place = 0; place < places; place += 1) {
      const mutant = mutate(text, random);
      let verdict;
      try {
        verdict = verified(mutant).verdict;
      } catch (error) {
        assert.match(error.code, /^ERR_TAPEPROOF_(SYNTAX|RECORD|EVENT|PROJECTION|CONVERSION|DEPTH)$/);
        verdict = error.code;
      }
      if (verdict !== 'valid') count(verdict);
      else {
        const why = reason(text, mutant);
        assert.ok(why, `record ${index}, place ${place}: a valid mutant\n${text}\n${mutant}`);
        count(`valid: ${why}`);
      }
    }
  }
  for (const [what, n] of [...counts].sort(([, a], [, b]) => b - a)) t.diagnostic(`${n} ${what}`);
});
