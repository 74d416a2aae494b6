// `node --import`: LangChain, and what it has beside it, from this folder, whoever imports it.
import { register } from 'node:module';

const HERE = new URL('package.json', import.meta.url).href;
const HOOK = `
  const OURS = /^(?:@langchain\\/|langchain(?:\\/|$)|zod3?(?:\\/|$))/;
  export const resolve = (specifier, context, next) =>
    next(specifier, OURS.test(specifier) && !context.parentURL?.includes('/node_modules/')
      ? { ...context, parentURL: ${JSON.stringify(HERE)} }
      : context);
`;

register(`data:text/javascript,${encodeURIComponent(HOOK)}`);
