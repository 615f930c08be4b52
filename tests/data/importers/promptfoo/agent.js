function thrown(message) { const error = new Error(message); error.stack = `Error: ${message}`; return error; }
module.exports = class Agent {
  id() { return 'agent'; }
  async callApi(prompt) {
    if (prompt.includes('throws')) throw thrown('agent threw');
    if (prompt.includes('upstream')) return { error: 'upstream 500' };
    if (prompt.includes('null')) return { output: null };
    if (prompt.includes('object')) return { output: { answer: 'Paris', n: [1, 2] }, cost: 0.01 };
    if (prompt.includes('calls')) return { output: 'done', metadata: { toolCalls: [{ name: 'search' }, { name: 'read' }] } };
    await new Promise((done) => setTimeout(done, prompt.includes('slow') ? 60 : 1));
    return { output: `said ${prompt}` };
  }
};
