module.exports = class Judge {
  id() { return 'judge'; }
  async callApi(prompt) {
    if (prompt.includes('down')) return { error: 'API error: 400 refused' };
    if (prompt.includes('wrong')) return { output: '{"pass": false, "score": 0, "reason": "wrong"}' };
    if (prompt.includes('torn')) return { output: '{"pass": false, "score": 0.75, "reason": "torn"}' };
    return { output: '{"pass": true, "score": 0.9, "reason": "good"}' };
  }
};
