// `GET /api/runs` and below: what was recorded in a folder, to be read.
import { createHash, timingSafeEqual } from 'node:crypto';
import { compareRuns } from '../evidence.js';
import { listRuns, readCassette, readRun, readSteps, readTrace } from '../store/read.js';
import { type Listed, type RunPage, STEPS, type StepPage } from '../view/runs.js';
import { Refusal, replyJson } from './reply.js';
import type { Exchange, Route } from './route.js';

/** A recording that cannot be read is said to be so, in words that repeat nothing of it. */
function attempt<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (!code?.startsWith('ERR_TAPEPROOF_')) throw error;
    throw new Refusal(409, message, {}, code);
  }
}

const noRun = (): Refusal => new Refusal(404, 'no such run');

/** The routes; with a token only those who send it are answered. */
export function runsRoutes(dir: string, token: string | undefined): Route[] {
  const isToken = token === undefined ? () => true : matcher(token);
  const route = (path: string, answer: (params: Exchange['params']) => unknown): Route => ({
    method: 'GET',
    path: `/api/runs${path}`,
    handle({ request, response, params }) {
      if (!isToken(request.headers.authorization ?? '')) {
        throw new Refusal(401, 'expected the token', { 'www-authenticate': 'Bearer' });
      }
      replyJson(response, JSON.stringify(attempt(() => answer(params))));
    },
  });
  return [
    route('', () => listRuns(dir).map(id => listed(dir, id))),
    route('/:id/from/:from', ({ id = '', from }) => runPage(dir, id, Number(from))),
    route('/:id/steps/:seq', ({ id = '', seq }) => stepPage(dir, id, Number(seq))),
    route('/:id/compare/:other', ({ id: runId = '', other = '' }) => {
      if (!readRun(dir, runId) || !readRun(dir, other)) throw noRun();
      return compareRuns({ dir, runId }, { dir, runId: other });
    }),
  ];
}

/** Compares digests, which take as long to compare whatever was sent. */
function matcher(token: string): (authorization: string) => boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  const expected = digest(`Bearer ${token}`);
  return authorization => timingSafeEqual(digest(authorization), expected);
}

/** One run that cannot be read must not hide the others. */
function listed(dir: string, run_id: string): Listed {
  try {
    const run = readRun(dir, run_id);
    if (!run) return { run_id, problem: 'removed meanwhile' };
    let steps = 0;
    for (const _ of readSteps(dir, run_id)) steps += 1;
    return { run_id, run, steps };
  } catch (error) {
    return { run_id, problem: `cannot be read [${(error as NodeJS.ErrnoException).code}]` };
  }
}

function runPage(dir: string, id: string, from: number): RunPage {
  const trace = readTrace(dir, id);
  if (!trace || !(from >= 0)) throw noRun();
  const { run, steps, problems } = trace;
  return { run, steps: steps.slice(from, from + STEPS), from, total: steps.length, problems: problems.slice(0, 20) };
}

function stepPage(dir: string, id: string, seq: number): StepPage {
  let found: StepPage['step'] | undefined;
  for (const step of readSteps(dir, id)) if (step.seq === seq) found ??= step;
  if (!found || !readRun(dir, id)) throw new Refusal(404, 'no such step');
  const elsewhere: StepPage['elsewhere'] = [];
  for (const run_id of listRuns(dir)) {
    for (const step of readSteps(dir, run_id)) {
      const isItself = run_id === id && step.seq === seq;
      if (step.req_hash === found.req_hash && !isItself && elsewhere.length < 100)
        elsewhere.push({ run_id, seq: step.seq });
    }
  }
  return { step: { ...found, run_id: id }, cassette: readCassette(dir, found.cassette_ref), elsewhere };
}
