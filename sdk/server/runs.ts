// `GET /api/runs` and below: what was recorded in a folder, to be read.
import { createHash, timingSafeEqual } from 'node:crypto';
import { compareRuns } from '../evidence.js';
import { listRuns, readCassette, readRun, readSteps, readTrace } from '../store/read.js';
import { counted } from '../view/amounts.js';
import { type Listed, type RunPage, STEPS, type StepPage } from '../view/runs.js';
import { Refusal, replyJson } from './reply.js';
import type { Exchange, Route } from './route.js';

/** A recording that cannot be read is said to be so, in words that repeat nothing of it. */
function attempt<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    const { code, message, syscall } = error as NodeJS.ErrnoException;
    if (code?.startsWith('ERR_TAPEPROOF_')) throw new Refusal(409, message, {}, code);
    throw syscall === undefined ? error : new Refusal(409, `cannot be read [${code}]`);
  }
}

const noRun = (): Refusal => new Refusal(404, 'no such run');

/** The number in a path; what is none is the number of nothing. */
const numberIn = (text = ''): number => (/^\d{1,16}$/.test(text) ? Number(text) : Number.NaN);

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
    route('/:id/from/:from', ({ id = '', from }) => runPage(dir, id, numberIn(from))),
    route('/:id/steps/:seq', ({ id = '', seq }) => stepPage(dir, id, numberIn(seq))),
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
    return { run_id, run, ...counted(readSteps(dir, run_id)) };
  } catch (error) {
    return { run_id, problem: `cannot be read [${(error as NodeJS.ErrnoException).code}]` };
  }
}

function runPage(dir: string, id: string, from: number): RunPage {
  const trace = readTrace(dir, id);
  if (!trace || !(from >= 0)) throw noRun();
  const { run, steps, problems } = trace;
  if (run.run_id !== id) problems.unshift('run.json is of another run');
  const more = problems.length - PROBLEMS;
  return {
    run_id: id,
    run,
    steps: steps.slice(from, from + STEPS),
    from,
    total: steps.length,
    problems: more > 0 ? [...problems.slice(0, PROBLEMS), `and ${more} problems more`] : problems,
  };
}

const PROBLEMS = 20;
/** So many other places of a call are named. */
const ELSEWHERE = 100;

function stepPage(dir: string, id: string, seq: number): StepPage {
  let found: StepPage['step'] | undefined;
  for (const step of readSteps(dir, id)) if (step.seq === seq) found ??= step;
  if (!found || !readRun(dir, id)) throw new Refusal(404, 'no such step');
  const elsewhere: StepPage['elsewhere'] = [];
  let [more, unread] = [0, 0];
  for (const run_id of listRuns(dir)) {
    try {
      for (const step of readSteps(dir, run_id)) {
        const isItself = run_id === id && step.seq === seq;
        if (step.req_hash !== found.req_hash || isItself) continue;
        if (elsewhere.length < ELSEWHERE) elsewhere.push({ run_id, seq: step.seq });
        else more += 1;
      }
    } catch {
      unread += 1;
    }
  }
  return { run_id: id, step: found, cassette: readCassette(dir, found.cassette_ref), elsewhere, more, unread };
}
