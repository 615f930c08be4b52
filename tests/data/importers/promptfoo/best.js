module.exports = class Best { id() { return 'best'; } async callApi() { return { output: '0' }; } };
