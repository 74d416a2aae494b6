// The hashing specification in plain JavaScript: the fallback of the package is the twin that the native core is
// compared with. What the package itself builds upon either stands here a second time.
import fallback from '../../dist/fallback/index.cjs';

export const { HASH_VERSION, canonical, jcs, normalizeText, reqHash, reqHashJson, stateHash, stateHashJson } = fallback;

export function reqHashMany(requests) {
  const hashes = [];
  for (const request of requests) {
    try {
      hashes.push(reqHash(request));
    } catch (error) {
      if (error?.code?.startsWith?.('ERR_TAPEPROOF_')) error.pointer = `/${hashes.length}${error.pointer}`;
      throw error;
    }
  }
  return hashes;
}
