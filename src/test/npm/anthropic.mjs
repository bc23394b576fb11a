import Anthropic from '@anthropic-ai/sdk';

const client = new Anthropic({ baseURL: process.argv[2], apiKey: 'placeholder', maxRetries: 0 });
const asked = { model: 'm', max_tokens: 10, messages: [{ role: 'user', content: 'hi' }] };
console.log((await client.messages.create(asked)).content[0].text);
const pieces = [];
const stream = client.messages.stream(asked).on('text', (text) => pieces.push(text));
await stream.finalMessage();
console.log(pieces.join('|'));
