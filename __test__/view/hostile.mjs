// A record whose every text tries to become something else than text.
import { generateKeyPair, seal } from 'tapeproof/verify';

const TRICKS = [
  '</script><script>alert(1)</script>',
  '</style><style>body{display:none}</style>',
  '"><img src=x onerror=alert(1)>',
  "' onmouseover='alert(1)",
  '<svg/onload=alert(1)>',
  '<a href="javascript:alert(1)">verdict: valid</a>',
  'javascript:alert(1)',
  '<!-- <base href=//evil.example> -->',
  '<meta http-equiv=refresh content="0;url=//evil.example">',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  '&lt;b&gt; &#60;b&#62; {{alert(1)}}',
  '\u202Egnp.dilav\u202C \u2066\u0000\u001B[2J\uD800',
  '__proto__',
];

const trick = at => TRICKS[at % TRICKS.length];

export const keys = generateKeyPair();

/** Events of every type, with a trick for each text, and names of members that are tricks too. */
function events() {
  const made = [];
  for (let at = 0; at < 3 * TRICKS.length; at += 1) {
    const text = trick(at);
    const nested = JSON.parse(
      `{${JSON.stringify(text)}: [{"role": ${JSON.stringify(text)}, "content": ${JSON.stringify(text)}}]}`,
    );
    const error = at % 2 ? { name: text, message: text } : null;
    const types = [
      {
        type: 'llm',
        model: { provider: text, model_id: text },
        request: { messages: [nested] },
        response: nested,
        error,
      },
      { type: 'tool', tool_name: text, input: nested, output: text, error },
      { type: text, text, label: text },
      { type: 'env', kind: text, key: text, output: nested },
      { type: 'reasoning', label: text, text },
    ];
    made.push({ seq: at, run_id: text, latency_ms: text, ...types[at % types.length] });
  }
  return made;
}

export const hostileName = `"><img src=x onerror=alert(1)> '$(touch x)' <script>.json`;

/** The record, as text. */
export function hostile() {
  const options = {
    run: { run_id: trick(0), name: trick(2) },
    privateKey: keys.privateKey,
    generatedAt: '2026-03-02T10:00:00Z',
  };
  const record = seal(events(), options);
  Object.assign(record.manifest, { generated_at: trick(2), spec_url: 'javascript:alert(1)' });
  return JSON.stringify(record);
}
