import OpenAI from 'openai';

const client = new OpenAI({ baseURL: process.argv[2] + '/v1', apiKey: 'placeholder', maxRetries: 0 });
const messages = [{ role: 'user', content: 'hi' }];
const whole = await client.chat.completions.create({ model: 'm', messages });
console.log(whole.choices[0].message.content);
const pieces = [];
for await (const chunk of await client.chat.completions.create({ model: 'm', messages, stream: true })) {
  pieces.push(chunk.choices[0]?.delta?.content ?? '');
}
console.log(pieces.join('|'));
