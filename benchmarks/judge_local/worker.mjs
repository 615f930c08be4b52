// A small real model as a judge: `node worker.mjs MODEL.gguf` speaks the worker's protocol.
// One question at a time, on one thread: on a busy machine more threads wait for each other.
import { createInterface } from "node:readline";
import { basename, extname, join } from "node:path";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const [modelPath, modules] = process.argv.slice(2);
const entry = createRequire(join(modules, "package.json")).resolve("node-llama-cpp");
const { getLlama, LlamaChatSession, LlamaLogLevel } = await import(pathToFileURL(entry));

const llama = await getLlama({
  gpu: false,
  build: "never",
  maxThreads: 1,
  progressLogs: false,
  logLevel: LlamaLogLevel.error,
});
const model = await llama.loadModel({ modelPath });
const context = await model.createContext({ contextSize: 4096, threads: 1 });
const say = (line) => process.stdout.write(JSON.stringify(line) + "\n");
const name = basename(modelPath, extname(modelPath));
say({ hello: { protocol: 1, name, version: "1", concurrency: 1 } });

for await (const line of createInterface({ input: process.stdin })) {
  const { id, ...question } = JSON.parse(line);
  try {
    say({ id, ...(await graded(question)) });
  } catch (error) {
    say({ id, error: { kind: "server", retryable: true, message: String(error) } });
  }
}
await llama.dispose();

async function graded({ system, prompt, schema, params, deadline_ms }) {
  const rating = schema.properties?.rating?.enum;
  if (!rating) return { error: { kind: "config", message: "this worker rates, and nothing else" } };
  // So small a model writes no JSON by itself: it picks a rating, and the rest is given.
  const grammar = await llama.createGrammarForJsonSchema({
    type: "object",
    properties: { assessment: { enum: ["picked by a very small model"] }, rating: { enum: rating } },
  });
  const sequence = context.getSequence();
  const session = new LlamaChatSession({ contextSequence: sequence, systemPrompt: system });
  const before = sequence.tokenMeter.getState();
  try {
    const text = await session.prompt(prompt, {
      grammar,
      temperature: params.temperature ?? 0,
      seed: params.seed,
      maxTokens: params.max_tokens ?? 64,
      signal: AbortSignal.timeout(deadline_ms),
    });
    const used = sequence.tokenMeter.diff(before);
    const usage = { input_tokens: used.usedInputTokens, output_tokens: used.usedOutputTokens };
    return { text, usage };
  } finally {
    session.dispose();
    sequence.dispose();
  }
}
