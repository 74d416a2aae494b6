export { reqHash } from '@krishnadobhal/rewind-core/hash';
